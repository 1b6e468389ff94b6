import type { RunEndReason, RunLine, RunProblem, TryEndReason, TryEvent } from '@outdial/contracts';
import type { UsageMeter } from '@outdial/calls';
import { unreachable, type Timer } from '@outdial/kernel';
import type { RunJob } from '@outdial/persistence';
import type { CallToOpen } from '../model-thread/messages.ts';
import { TextConversation } from '../tries/text-conversation.ts';
import { mockedTools } from './mocked-tools.ts';
import type { Persona, PersonaListener } from './persona.ts';
import type { EvaluationDeps } from './ports.ts';

export type Conversed =
  | { readonly kind: 'over'; readonly reason: RunEndReason }
  | { readonly kind: 'errored'; readonly problem: RunProblem };

export interface ScenarioConversationOptions {
  readonly deps: EvaluationDeps;
  readonly job: RunJob;
  readonly call: CallToOpen;
  /** Takes what the agent's model uses. */
  readonly meter: Pick<UsageMeter, 'add'>;
  readonly onUsage: () => void;
  readonly openPersona: (listener: PersonaListener) => Persona;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** An agent and a persona talk in text, one after the other, until one of them hangs up. */
export class ScenarioConversation {
  readonly #options: ScenarioConversationOptions;
  readonly #lines: RunLine[] = [];
  readonly #agent: TextConversation;
  readonly #persona: Persona;
  readonly #over: Promise<Conversed>;
  #end: (how: Conversed) => void = () => undefined;
  #isOver = false;
  /** Of the agent, since its last line. */
  #words = '';
  /** Of the agent, since the persona spoke. */
  #heard = '';
  #turns = 0;
  #idle: Timer | null = null;

  /** Throws if a model cannot be opened. */
  constructor(options: ScenarioConversationOptions) {
    const { deps, job, call, meter, onUsage, openPersona } = options;
    this.#options = options;
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#persona = openPersona({
      says: (text, hangsUp) => this.#personaSays(text, hangsUp),
      hangsUp: () => this.#finish({ kind: 'over', reason: 'persona_hangup' }),
      failed: (problem) => this.#finish({ kind: 'errored', problem }),
    });
    this.#agent = new TextConversation({
      call,
      openMind: deps.openMind,
      tools: mockedTools(job.scenario),
      meter,
      clock: deps.clock,
      logger: deps.logger,
      report: (event) => this.#report(event),
      onUsage,
      onTurnOver: () => this.#passTurn(),
      onOver: (reason) => this.#finish(endOf(reason)),
    });
  }

  /** What was said and done, in order. */
  lines(): readonly RunLine[] {
    return this.#lines;
  }

  async run(): Promise<Conversed> {
    const { deps, signal } = this.#options;
    const stop = () => this.#finish({ kind: 'errored', problem: 'worker_lost' });
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const timer = deps.clock.after(deps.pace.conversationMs, () => this.#finish({ kind: 'over', reason: 'time_over' }));
    this.#isNotIdle();
    if (!this.#isOver) this.#agent.begin();
    try {
      return await this.#over;
    } finally {
      timer.cancel();
      this.#idle?.cancel();
      signal.removeEventListener('abort', stop);
      this.#agent.close();
      this.#persona.close();
      this.#endLine();
    }
  }

  /** The persona answers once the agent's mind has dealt with its own event. */
  #passTurn(): void {
    const heard = this.#heard.trim();
    this.#heard = '';
    if (this.#turns >= this.#options.job.scenario.max_turns) {
      return this.#finish({ kind: 'over', reason: 'max_turns' });
    }
    queueMicrotask(() => {
      if (!this.#isOver) this.#persona.hear(heard);
    });
  }

  #personaSays(text: string, hangsUp: boolean): void {
    if (this.#isOver) return;
    this.#isNotIdle();
    this.#turns += 1;
    if (!hangsUp) return this.#agent.hear(text);
    this.#report({ type: 'callee_text', text });
    this.#finish({ kind: 'over', reason: 'persona_hangup' });
  }

  #report(event: TryEvent): void {
    this.#isNotIdle();
    switch (event.type) {
      case 'agent_text':
        this.#words += event.text;
        this.#heard += event.text;
        return;
      case 'agent_done':
        this.#heard += ' ';
        return this.#endLine();
      case 'callee_text':
        this.#endLine();
        this.#lines.push({ kind: 'callee', text: event.text });
        return;
      case 'tool_called': {
        this.#endLine();
        const { name, arguments: given, result, outcome } = event;
        this.#lines.push({ kind: 'tool', name, arguments: given, result, outcome });
        return;
      }
      case 'started':
      case 'act':
      case 'usage':
      case 'ended':
        return;
      default:
        return unreachable(event);
    }
  }

  #endLine(): void {
    const text = this.#words.trim();
    this.#words = '';
    if (text !== '') this.#lines.push({ kind: 'agent', text });
  }

  #isNotIdle(): void {
    if (this.#isOver) return;
    const { clock, pace } = this.#options.deps;
    this.#idle?.cancel();
    this.#idle = clock.after(pace.idleMs, () => this.#finish({ kind: 'errored', problem: 'provider_unavailable' }));
  }

  #finish(how: Conversed): void {
    this.#isOver = true;
    this.#end(how);
  }
}

function endOf(reason: TryEndReason): Conversed {
  if (reason === 'agent_hangup') return { kind: 'over', reason };
  return { kind: 'errored', problem: reason === 'provider_rejected' ? reason : 'provider_unavailable' };
}
