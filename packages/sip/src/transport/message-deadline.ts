/** How long a connection may take over its messages. */
export interface DeadlineTimes {
  /** Null: it may say nothing for as long as it likes. */
  readonly firstMessageMs: number | null;
  readonly messageMs: number;
}

/**
 * Finds a connection that keeps its place without saying anything: no bytes, however many and however often, put the
 * deadline off, only a complete message does.
 */
export class MessageDeadline {
  readonly #messageMs: number;
  readonly #onMissed: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor({ firstMessageMs, messageMs }: DeadlineTimes, onMissed: () => void) {
    this.#messageMs = messageMs;
    this.#onMissed = onMissed;
    if (firstMessageMs !== null) this.#timer = setTimeout(onMissed, firstMessageMs).unref();
  }

  /** To be called after each chunk was looked at. */
  received({ messages, isPartial }: { readonly messages: number; readonly isPartial: boolean }): void {
    if (messages > 0) this.stop();
    if (isPartial) this.#timer ??= setTimeout(this.#onMissed, this.#messageMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
