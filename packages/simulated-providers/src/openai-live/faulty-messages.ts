import type { WebSocket } from 'ws';
import type { Fault } from '../faults.ts';
import type { ServerMessage } from './server-events.ts';

const NORMAL = 1_000;
const ULAW_SILENCE = 0xff;
const INTERNAL_ERROR = 1_011;
/** More than a client puts up with. */
const GARBAGE_MESSAGES = 60;
const GARBAGE = '{"type":"session.output_audio.delta","delta":';

/** The stream is silent where nothing is said. */
const isSpoken = (delta: string): boolean => Buffer.from(delta, 'base64').some((byte) => byte !== ULAW_SILENCE);

/** Sends events to a client, and goes wrong as the model's name asks for. A delta is one of sound in which the model speaks. */
export class FaultyMessages {
  readonly #client: WebSocket;
  readonly #fault: Fault | null;
  #events = 0;
  #spoken = 0;

  constructor(client: WebSocket, fault: Fault | null) {
    this.#client = client;
    this.#fault = fault;
  }

  send(message: ServerMessage): void {
    if (this.#client.readyState !== this.#client.OPEN) return;
    if (message.type === 'session.output_audio.delta' && isSpoken(message.delta)) this.#spoken += 1;
    const fault = this.#fault;
    const isSpeaking = this.#spoken > 0;
    if (fault?.kind === 'drop' && this.#spoken > fault.afterDeltas) return this.#client.terminate();
    if (fault?.kind === 'close-1000' && isSpeaking) return this.#client.close(NORMAL);
    if (fault?.kind === 'error-event' && isSpeaking) {
      const error = { type: 'server_error', code: 'server_error', message: 'The model is overloaded.' };
      this.#write({ type: 'error', error });
      return this.#client.close(INTERNAL_ERROR, error.message);
    }
    const isStart = message.type === 'session.started';
    if (fault?.kind === 'stall' && !isStart) return;
    if (fault?.kind === 'garbage-json' && !isStart) {
      for (let sent = 0; sent < GARBAGE_MESSAGES; sent += 1) this.#client.send(GARBAGE);
      return;
    }
    if (fault?.kind !== 'no-usage') return this.#write(message);
    if (message.type === 'session.usage.updated') return;
    if (message.type !== 'session.closed') return this.#write(message);
    const { usage: _usage, ...closed } = message;
    this.#write(closed);
  }

  #write(message: ServerMessage): void {
    this.#events += 1;
    this.#client.send(JSON.stringify({ event_id: `event_${this.#events}`, ...message }));
  }
}
