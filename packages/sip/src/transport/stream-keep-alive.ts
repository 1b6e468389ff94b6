import type { Socket } from 'node:net';

export interface KeepAliveTimes {
  /** Idle time after which a keep-alive is sent. */
  readonly idleMs: number;
  /** How long a far end that answers keep-alives may take. */
  readonly answerMs: number;
}

/**
 * Most far ends close a connection that was idle for two minutes; RFC 5626 section 4.4.1 allows ten seconds for the
 * answer.
 */
export const KEEP_ALIVE_TIMES: KeepAliveTimes = { idleMs: 30_000, answerMs: 10_000 };

const PING = '\r\n\r\n';
const PONG = Buffer.from('\r\n');

/**
 * Keeps a connection that we opened from being closed as idle by the far end or a middlebox (RFC 5626 section 3.5.1),
 * and detects a far end that is gone. A far end that never answered a keep-alive need not answer.
 */
export class StreamKeepAlive {
  readonly #socket: Socket;
  readonly #times: KeepAliveTimes;
  readonly #onSilence: () => void;
  #answers = false;
  #due: NodeJS.Timeout | undefined;

  constructor(socket: Socket, times: KeepAliveTimes, onSilence: () => void) {
    this.#socket = socket;
    this.#times = times;
    this.#onSilence = onSilence;
    // Not passed as a callback, which would fire only once.
    socket.setTimeout(times.idleMs);
    socket.on('timeout', () => this.#ping());
    socket.on('close', () => clearTimeout(this.#due));
  }

  /** Call this with everything that arrives: any data shows that the far end is alive. */
  received(chunk: Buffer): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    if (chunk.equals(PONG)) this.#answers = true;
  }

  #ping(): void {
    // If the connection accepts no data, another keep-alive would only queue up.
    if (!this.#socket.writable || this.#socket.writableLength > 0) return;
    this.#socket.write(PING);
    if (this.#answers) this.#due ??= setTimeout(this.#onSilence, this.#times.answerMs).unref();
  }
}
