import type { FromMind, ToMind } from '@outdial/agents';
import { fillTemplate, PROVIDERS, type Provider, type UsageEntry } from '@outdial/contracts';
import { pause, unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { Mind, MindEvent, ProviderFailure, ToolRunner } from '@outdial/minds';
import { CallBounds, EXCESS } from './call-bounds.ts';
import { CallToolRuns } from './tool-runs.ts';
import { callTools } from './call-tools.ts';
import type { CallToOpen } from './messages.ts';
import type { ModelUses } from './model-use.ts';
import { mindInputOf, type OpenMind } from './open-mind.ts';

export interface ConductedMindOptions {
  readonly call: CallToOpen;
  readonly openMind: OpenMind;
  readonly uses: ModelUses;
  readonly tools: ToolRunner;
  readonly clock: Clock;
  readonly logger: Logger;
  /** To the agent. */
  readonly post: (message: FromMind) => void;
}

/** The longest answer that a callee listens to. */
const LONGEST_ITEM_MS = 60_000;
const BYTES_PER_MS = 8;
/** An agent waits 1.5 s for the last words and the last usage. */
const LAST_WORDS_WITHIN_MS = 1_000;
/** A provider that wants a longer pause has no use for a conversation. */
const MAX_RETRY_MS = 1_500;
const RETRY_MS = 500;

/** The mind of one call in the model thread, with its tools: what its agent asks for, and what it reports back. */
export class ConductedMind {
  readonly #options: ConductedMindOptions;
  readonly #mind: Mind;
  readonly #runs: CallToolRuns;
  readonly #receivedMs = new Map<string, number>();
  readonly #bounds = new CallBounds();
  #answersFailed = 0;
  #closed = false;

  /** Throws if the call's models cannot be opened. */
  constructor(options: ConductedMindOptions) {
    const { call, openMind, uses, tools: runner, clock, post } = options;
    this.#options = options;
    this.#mind = openMind({ ...mindInputOf(call), uses, listener: (event) => this.#onEvent(event) });
    this.#runs = new CallToolRuns({
      call,
      tools: callTools(call.settings),
      runner,
      clock,
      post,
      deliver: (result) => {
        if (!this.#closed) this.#mind.toolResult(result);
      },
      act: (id, act) => post({ kind: 'act', id, act }),
      sayMeanwhile: (text) => this.#mind.say(fillTemplate(text, call.variables)),
    });
  }

  receive(message: ToMind): void {
    if (this.#closed) return;
    switch (message.kind) {
      case 'audio':
        return this.#mind.hear(message.ulaw, message.fromMs);
      case 'speech':
        return this.#mind.calleeSpeech?.({ kind: message.is, atMs: message.atMs });
      case 'open_gate':
        return this.#mind.openGate();
      case 'say':
        return this.#mind.say(message.text, { isWhole: message.isWhole === true });
      case 'respond':
        return this.#mind.respond(message.hint ?? undefined, { isWhole: message.isWhole === true });
      case 'instruct':
        return this.#mind.instruct(message.text);
      case 'late':
        return this.#mind.late?.();
      case 'cut':
        return this.#mind.cut(message);
      case 'digits':
        return this.#mind.pressed(message.digits);
      case 'act_done':
        return this.#runs.acted(message);
      case 'close':
        void this.#closeSoon();
        return;
      default:
        return unreachable(message);
    }
  }

  /** At once, without waiting for anything. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#runs.stop();
    this.#mind.close();
  }

  async #closeSoon(): Promise<void> {
    this.#runs.stop();
    const limit = new AbortController();
    await Promise.race([this.#mind.callOver(), pause(this.#options.clock, LAST_WORDS_WITHIN_MS, limit.signal)]);
    limit.abort();
    this.close();
    this.#options.post({ kind: 'closed' });
  }

  #onEvent(event: MindEvent): void {
    const { post, logger } = this.#options;
    if (!this.#closed && this.#bounds.isExceededBy(event)) {
      this.#fail({ ...EXCESS, component: this.#speakerOf(event) });
      return this.close();
    }
    switch (event.kind) {
      case 'ready':
        return post({ kind: 'ready' });
      case 'sound':
        return this.#onSound(event.item, event.ulaw);
      case 'words':
      case 'answer_timed':
      case 'item_over':
      case 'callee_speaking':
        return post(event);
      case 'callee_said':
        return post({ kind: 'callee_said', text: event.text, startMs: event.startMs, endMs: event.endMs });
      case 'tool_call':
        return this.#runs.called(event);
      case 'answer_over':
        this.#answersFailed = 0;
        post({ kind: 'answer_over', empty: event.empty });
        return this.#runs.answered({ wasCut: event.outcome === 'cancelled' });
      case 'answer_failed':
        this.#runs.answered({ wasCut: false });
        this.#answersFailed += 1;
        return event.isRetried === true ? undefined : this.#onAnswerFailed(event.failure);
      case 'recovered': {
        const { component, kind } = event.failure;
        return post({ kind: 'recovered', component, failure: kind, afterMs: event.afterMs });
      }
      case 'expiring':
      case 'near_limit':
        return;
      case 'ignored':
        return logger.debug({ event: 'mind.ignored', reason: event.message }, 'a message of a provider was ignored');
      case 'usage':
        return post({ kind: 'usage', entries: event.entries.flatMap(usageEntryOf) });
      case 'failed':
        return this.#fail(event.failure);
      default:
        return unreachable(event);
    }
  }

  #speakerOf({ kind }: MindEvent): ProviderFailure['component'] {
    if (this.#options.call.settings.driver === 'realtime') return 'realtime';
    return kind === 'callee_said' ? 'stt' : 'llm';
  }

  #onSound(item: string, ulaw: Uint8Array): void {
    const receivedMs = (this.#receivedMs.get(item) ?? 0) + ulaw.length / BYTES_PER_MS;
    this.#receivedMs.set(item, receivedMs);
    if (receivedMs > LONGEST_ITEM_MS) {
      this.#mind.cut({ item, playedMs: LONGEST_ITEM_MS, heardText: '' });
      return this.#options.post({ kind: 'item_over', item });
    }
    // The provider's memory is shared with other messages; this copy goes to the other thread.
    this.#options.post({ kind: 'sound', item, ulaw: new Uint8Array(ulaw) });
  }

  #onAnswerFailed(failure: ProviderFailure): void {
    if (this.#answersFailed > 1 || (failure.retryAfterMs ?? 0) > MAX_RETRY_MS) {
      this.#fail(failure);
      return this.close();
    }
    this.#options.clock.after(failure.retryAfterMs ?? RETRY_MS, () => {
      if (!this.#closed) this.#mind.respond();
    });
  }

  #fail(failure: ProviderFailure): void {
    const { component, kind, message } = failure;
    this.#options.logger.warn({ event: 'mind.failed', component, failure: kind, reason: message }, 'a mind failed');
    const reason = kind === 'rejected' ? 'provider_rejected' : 'provider_unavailable';
    this.#options.post({ kind: 'failed', component, failure: kind, reason });
  }
}

const isProvider = (name: string): name is Provider => PROVIDERS.some((provider) => provider === name);

function usageEntryOf({ provider, ...entry }: { provider: string } & Omit<UsageEntry, 'provider'>): UsageEntry[] {
  return isProvider(provider) ? [{ ...entry, provider }] : [];
}
