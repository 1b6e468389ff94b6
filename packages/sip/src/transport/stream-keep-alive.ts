import type { Socket } from 'node:net';

export interface KeepAliveTimes {
  /** After which a connection that carries nothing is asked to be kept. */
  readonly idleMs: number;
  /** How long a far end that answers such questions may take. */
  readonly answerMs: number;
}

/** Most far ends close a connection that was idle for two minutes; section 4.4.1 of RFC 5626 allows ten seconds. */
export const KEEP_ALIVE_TIMES: KeepAliveTimes = { idleMs: 30_000, answerMs: 10_000 };

const PING = '\r\n\r\n';
const PONG = Buffer.from('\r\n');

/**
 * Keeps a connection that we opened from being closed as idle, by the far end or by what lies between (RFC 5626 section
 * 3.5.1), and finds out when the far end is gone without a word. Nobody need answer who never did.
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
    // Not as its callback, which would be called once.
    socket.setTimeout(times.idleMs);
    socket.on('timeout', () => this.#ping());
    socket.on('close', () => clearTimeout(this.#due));
  }

  /** To be told of everything that comes in: whatever it is, the far end lives. */
  received(chunk: Buffer): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    if (chunk.equals(PONG)) this.#answers = true;
  }

  #ping(): void {
    // Into a connection that takes nothing any more another question would only be piled up.
    if (!this.#socket.writable || this.#socket.writableLength > 0) return;
    this.#socket.write(PING);
    if (this.#answers) this.#due ??= setTimeout(this.#onSilence, this.#times.answerMs).unref();
  }
}
