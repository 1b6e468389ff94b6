import type { WebSocket } from 'ws';
import type { Fault } from '../faults.ts';
import type { SimulatedDialect } from './dialects/dialect.ts';
import type { ServerMessage } from './server-message.ts';

const NORMAL = 1_000;
/** More than a client puts up with. */
const GARBAGE_MESSAGES = 60;
const GARBAGE = '{"type":"response.output_audio.delta","delta":';

/** Sends events to a client, and goes wrong as the model's name asks for. */
export class FaultyEvents {
  readonly #client: WebSocket;
  readonly #fault: Fault | null;
  readonly #shape: SimulatedDialect['shape'];
  #events = 0;
  #deltas = 0;

  constructor(client: WebSocket, fault: Fault | null, shape: SimulatedDialect['shape']) {
    this.#client = client;
    this.#fault = fault;
    this.#shape = shape;
  }

  send(event: ServerMessage): void {
    if (this.#client.readyState !== this.#client.OPEN) return;
    if (event.type === 'response.output_audio.delta') this.#deltas += 1;
    const fault = this.#fault;
    if (fault?.kind === 'drop' && this.#deltas > fault.afterDeltas) return this.#client.terminate();
    if (fault?.kind === 'close-1000' && this.#deltas > 0) return this.#client.close(NORMAL);
    if (fault?.kind === 'no-usage' && event.type === 'response.done') {
      return this.#write({ ...event, response: withoutUsage(event.response) });
    }
    if (!event.type.startsWith('response.')) return this.#write(event);
    if (fault?.kind === 'stall') return;
    if (fault?.kind !== 'garbage-json') return this.#write(event);
    for (let sent = 0; sent < GARBAGE_MESSAGES; sent += 1) this.#client.send(GARBAGE);
  }

  #write(event: ServerMessage): void {
    for (const message of this.#shape(event)) {
      this.#events += 1;
      this.#client.send(JSON.stringify({ event_id: `event_${this.#events}`, ...message }));
    }
  }
}

function withoutUsage<Response extends { readonly usage?: unknown }>({ usage: _usage, ...rest }: Response) {
  return rest;
}
