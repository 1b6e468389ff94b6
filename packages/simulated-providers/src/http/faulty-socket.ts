import type { WebSocket } from 'ws';
import type { Fault } from '../faults.ts';

const NORMAL = 1_000;
/** More than a client puts up with. */
const GARBAGE_MESSAGES = 30;
const GARBAGE = '{"type":';

/** Sends to a client, and goes wrong as the model's name asks for. */
export class FaultySocket {
  readonly #client: WebSocket;
  readonly #fault: Fault | null;
  #deltas = 0;

  constructor(client: WebSocket, fault: Fault | null) {
    this.#client = client;
    this.#fault = fault;
  }

  /** A message that is no part of an answer, such as the first one. */
  send(message: Uint8Array | Readonly<Record<string, unknown>>): void {
    if (this.#client.readyState !== this.#client.OPEN) return;
    this.#client.send(message instanceof Uint8Array ? message : JSON.stringify(message));
  }

  /** A part of an answer: a sound, a word, a turn. */
  delta(message: Uint8Array | Readonly<Record<string, unknown>>): void {
    this.#deltas += 1;
    const fault = this.#fault;
    if (fault?.kind === 'stall') return;
    if (fault?.kind === 'stall_after' && this.#deltas > fault.afterDeltas) return;
    if (fault?.kind === 'close-1000') return this.#client.close(NORMAL);
    if (fault?.kind === 'drop' && this.#deltas > fault.afterDeltas) return this.#client.terminate();
    if (fault?.kind !== 'garbage-json') return this.send(message);
    for (let sent = 0; sent < GARBAGE_MESSAGES; sent += 1) this.#client.send(GARBAGE);
  }

  close(code: number, reason: string): void {
    this.#client.close(code, reason);
  }
}
