import type { ProviderFailure } from './mind.ts';

/** A provider that wants a longer pause has no use for a conversation. */
const MAX_RETRY_MS = 1_500;
/** Where the provider names no time. */
const RETRY_MS = 500;

/** How often a call tries the same model again, before it takes a fallback. */
export class Attempts {
  readonly #maxReconnects: number;
  #reconnects = 0;
  #wasLimited = false;
  /** An answer failed, and was asked for once more. */
  #wasAskedAgain = false;

  constructor(maxReconnects: number) {
    this.#maxReconnects = maxReconnects;
  }

  /** Of a connection that was lost. A provider that never accepted the settings would not accept them now. */
  mayReconnect({ kind }: ProviderFailure, wasReady: boolean): boolean {
    const isLost = wasReady && (kind === 'dropped' || kind === 'stalled');
    if (!isLost || this.#reconnects >= this.#maxReconnects) return false;
    this.#reconnects += 1;
    return true;
  }

  /** Of a connection that was refused for its rate: after how long to connect again. Null: not again. */
  connectAgainAfterMs({ kind, retryAfterMs }: ProviderFailure): number | null {
    const delayMs = retryAfterMs ?? RETRY_MS;
    if (kind !== 'rate_limited' || delayMs > MAX_RETRY_MS || this.#wasLimited) return null;
    this.#wasLimited = true;
    return delayMs;
  }

  /** Of an answer that failed while its session stays: after how long to ask again. Null: not again. */
  askAgainAfterMs({ kind, retryAfterMs }: ProviderFailure): number | null {
    const delayMs = retryAfterMs ?? RETRY_MS;
    if (kind === 'rejected' || delayMs > MAX_RETRY_MS || this.#wasAskedAgain) return null;
    this.#wasAskedAgain = true;
    return delayMs;
  }

  /** An answer is complete, or another model is asked. */
  answered(): void {
    this.#wasAskedAgain = false;
  }
}
