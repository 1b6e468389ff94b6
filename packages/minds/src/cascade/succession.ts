import type { ProviderFailure } from '../mind.ts';

export interface Successor {
  /** Which of the providers: 0 is the first choice. */
  readonly index: number;
  readonly delayMs: number;
}

export interface SuccessionInput {
  readonly count: number;
  /** Connections to a provider that was lost. Default: 2. */
  readonly maxReconnects?: number;
  /** What was lost in the middle of its work goes to a fallback at once. */
  readonly prefersFallback?: boolean;
  /** Where no fallback is left, a connection that could not be made is tried once more: the call has been answered. */
  readonly retriesConnecting?: boolean;
}

/** Longer, and a callee would notice the wait more than another voice. */
const MAX_RETRY_AFTER_MS = 1_500;
/** What refused a connection at once may take the next. */
const CONNECT_AGAIN_MS = 500;

/** Which provider comes after one that failed: the same once more, or the next of its fallbacks, which then stays. */
export class Succession {
  readonly #input: SuccessionInput;
  #index = 0;
  #reconnects = 0;
  #waitedAt = -1;
  #connectsAgain = false;

  constructor(input: SuccessionInput) {
    this.#input = input;
  }

  get index(): number {
    return this.#index;
  }

  /** `wasReady`: the provider had accepted its settings before it failed. Null: no provider is left. */
  after(
    { kind, retryAfterMs }: ProviderFailure,
    wasReady: boolean,
    prefersFallback = this.#input.prefersFallback === true,
  ): Successor | null {
    if (kind === 'rate_limited' && this.#waitedAt !== this.#index && (retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS) {
      this.#waitedAt = this.#index;
      return { index: this.#index, delayMs: retryAfterMs ?? 0 };
    }
    const lost = wasReady && kind !== 'rejected' && kind !== 'rate_limited';
    const maxReconnects = this.#input.maxReconnects ?? 2;
    const mayReconnect = lost && this.#reconnects < maxReconnects;
    const hasNext = this.#index + 1 < this.#input.count;
    if (mayReconnect && !(hasNext && prefersFallback)) {
      this.#reconnects += 1;
      return { index: this.#index, delayMs: 0 };
    }
    if (!hasNext) return kind === 'unreachable' ? this.#connectAgain() : null;
    this.#index += 1;
    return { index: this.#index, delayMs: 0 };
  }

  #connectAgain(): Successor | null {
    if (this.#input.retriesConnecting !== true || this.#connectsAgain) return null;
    this.#connectsAgain = true;
    return { index: this.#index, delayMs: CONNECT_AGAIN_MS };
  }
}
