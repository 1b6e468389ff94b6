/** How long a connection may take for its messages. */
export interface DeadlineTimes {
  /** Null: no deadline before the first message. */
  readonly firstMessageMs: number | null;
  readonly messageMs: number;
}

/**
 * Closes a connection that holds its place without sending messages. Bytes alone do not extend the deadline; only a
 * complete message does.
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

  /** Call this after each chunk was processed. */
  received({ messages, isPartial }: { readonly messages: number; readonly isPartial: boolean }): void {
    if (messages > 0) this.stop();
    if (isPartial) this.#timer ??= setTimeout(this.#onMissed, this.#messageMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
