import { conductedTextsOf, HINTS, holdsPhrase, type Act, type FromMind } from '@outdial/agents';
import { fillTemplate, PROVIDERS, type Provider, type TryEndReason, type TryEvent } from '@outdial/contracts';
import type { UsageMeter } from '@outdial/calls';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { ProviderFailure, TextMind, TextMindEvent, ToolRunner } from '@outdial/minds';
import { CallBounds, EXCESS } from '../model-thread/call-bounds.ts';
import { callTools } from '../model-thread/call-tools.ts';
import type { CallToOpen } from '../model-thread/messages.ts';
import { CallToolRuns } from '../model-thread/tool-runs.ts';
import { AgentTurn } from './agent-turn.ts';
import { staticOpening, type OpenTextMind } from './open-text-mind.ts';

export interface TextConversationOptions {
  readonly call: CallToOpen;
  readonly openMind: OpenTextMind;
  readonly tools: ToolRunner;
  readonly meter: Pick<UsageMeter, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly report: (event: TryEvent) => void;
  readonly onUsage: () => void;
  /** The agent has said everything, and waits for the callee. */
  readonly onTurnOver?: () => void;
  /** Once. */
  readonly onOver: (reason: TryEndReason) => void;
}

const PRESSED = 'The keys were pressed. This is a conversation in text: no menu answers.';

/** An agent that talks in text: what its mind says and does, without a telephone. */
export class TextConversation {
  readonly #options: TextConversationOptions;
  readonly #mind: TextMind;
  readonly #runs: CallToolRuns;
  readonly #turn = new AgentTurn();
  readonly #bounds = new CallBounds();
  #words = '';
  #turns = 0;
  /** Texts that the agent says word for word. */
  #lines = 0;
  #over = false;

  /** Throws if the model cannot be opened. */
  constructor(options: TextConversationOptions) {
    const { call, openMind, tools: runner, clock } = options;
    this.#options = options;
    this.#mind = openMind(call, (event) => this.#onEvent(event));
    this.#runs = new CallToolRuns({
      call,
      tools: callTools(call.settings),
      runner,
      clock,
      post: (message) => this.#onToolMessage(message),
      deliver: (result) => {
        this.#mind.toolResult(result);
        this.#turn.returned(result.answer);
        this.#passTurn();
      },
      act: (id, act) => this.#act(id, act),
      sayMeanwhile: (text) => this.#say(fillTemplate(text, call.variables)),
    });
  }

  /** The agent begins, unless the callee does. */
  begin(): void {
    const { settings, variables } = this.#options.call;
    if (settings.first_speaker === 'callee') return this.#options.onTurnOver?.();
    const opening = staticOpening(settings, variables);
    if (opening !== null) {
      this.#say(opening);
      return this.#options.onTurnOver?.();
    }
    const like = conductedTextsOf(settings, variables).opening;
    this.#mind.respond(like === null ? HINTS.opening : HINTS.openingLike(like));
  }

  hear(text: string): void {
    if (this.#over) return;
    this.#turns += 1;
    this.#options.report({ type: 'callee_text', text });
    this.#mind.hear(text);
  }

  /** Usage that is left is counted before it returns. Idempotent. */
  close(): void {
    this.#over = true;
    this.#runs.stop();
    this.#mind.close();
  }

  #say(text: string): void {
    this.#options.report({ type: 'agent_text', item: `line_${(this.#lines += 1)}`, text });
    this.#options.report({ type: 'agent_done' });
    this.#mind.said(text);
  }

  #onEvent(event: TextMindEvent): void {
    const { report, meter, onUsage, logger, call } = this.#options;
    // What was used counts to the end.
    if (this.#over && event.kind !== 'usage') return;
    if (this.#bounds.isExceededBy(event)) {
      const component = call.settings.driver === 'realtime' ? 'realtime' : 'llm';
      return this.#failed({ ...EXCESS, component });
    }
    switch (event.kind) {
      case 'words':
        this.#words += event.text;
        return report({ type: 'agent_text', item: event.item, text: event.text });
      case 'tool_call':
        this.#turn.called();
        return this.#runs.called(event);
      case 'answer_over':
        return this.#answered();
      case 'usage':
        meter.add(
          event.entries.flatMap((entry) =>
            isProvider(entry.provider) ? [{ ...entry, provider: entry.provider }] : [],
          ),
        );
        return onUsage();
      case 'ignored':
        return logger.debug({ event: 'mind.ignored', reason: event.message }, 'a message of a provider was ignored');
      case 'answer_failed':
      case 'failed':
        return this.#failed(event.failure);
      default:
        return unreachable(event);
    }
  }

  #answered(): void {
    const { report, call } = this.#options;
    const words = this.#words;
    this.#words = '';
    report({ type: 'agent_done' });
    this.#runs.answered({ wasCut: false });
    const { end_call: ends, max_turns: maxTurns } = call.settings;
    if (ends.phrases.some((phrase) => holdsPhrase(words, phrase))) return this.#end('agent_hangup');
    if (maxTurns !== undefined && this.#turns >= maxTurns && !this.#over) {
      this.#sayClosing();
      return this.#end('agent_hangup');
    }
    this.#turn.answered();
    this.#passTurn();
  }

  #passTurn(): void {
    if (!this.#over && this.#turn.isOver()) this.#options.onTurnOver?.();
  }

  #onToolMessage(message: FromMind): void {
    if (message.kind !== 'tool_called' || this.#over) return;
    const { name, arguments: given, result, outcome, durationMs } = message;
    this.#options.report({
      type: 'tool_called',
      name,
      arguments: { ...given },
      result,
      outcome,
      duration_ms: Math.round(durationMs),
    });
  }

  /** What needs a telephone is shown, and not done. */
  #act(id: string, act: Act): void {
    this.#options.report({ type: 'act', act });
    switch (act.kind) {
      case 'press_digits':
        return this.#runs.acted({ kind: 'act_done', id, output: PRESSED, answer: true });
      case 'transfer': {
        const { settings, variables } = this.#options.call;
        const message = conductedTextsOf(settings, variables).transfer(act.tool, act.destination);
        if (message !== null) this.#say(message);
        return this.#end('agent_hangup');
      }
      case 'opt_out': {
        const { settings, variables } = this.#options.call;
        this.#say(conductedTextsOf(settings, variables).optOut);
        return this.#end('agent_hangup');
      }
      case 'end_call':
        return this.#end('agent_hangup');
      case 'leave_voicemail': {
        const { voicemail } = conductedTextsOf(this.#options.call.settings, this.#options.call.variables);
        if (voicemail !== null) this.#say(voicemail);
        return this.#end('agent_hangup');
      }
      default:
        return unreachable(act);
    }
  }

  #sayClosing(): void {
    const { closing } = conductedTextsOf(this.#options.call.settings, this.#options.call.variables);
    if (closing !== null) this.#say(closing);
  }

  #failed({ component, kind, message }: ProviderFailure): void {
    this.#options.logger.warn({ event: 'try.failed', component, failure: kind, reason: message }, 'a mind failed');
    this.#end(kind === 'rejected' ? 'provider_rejected' : 'provider_unavailable');
  }

  #end(reason: TryEndReason): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.onOver(reason);
  }
}

const isProvider = (name: string): name is Provider => PROVIDERS.some((provider) => provider === name);
