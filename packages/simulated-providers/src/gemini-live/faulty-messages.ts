import type { Clock } from '@outdial/kernel';
import type { WebSocket } from 'ws';
import type { Fault } from '../faults.ts';
import type { ServerMessage } from './server-message.ts';

const NORMAL = 1_000;
const GOING_AWAY = 1_001;
const INTERNAL_ERROR = 1_011;
/** More than a client puts up with. */
const GARBAGE_MESSAGES = 60;
const GARBAGE = '{"serverContent":{"modelTurn":';
const TIME_LEFT_SECONDS = 10;

/** Sends messages to a client, as binary as the real ones, and goes wrong as the model's name asks for. */
export class FaultyMessages {
  readonly #client: WebSocket;
  readonly #fault: Fault | null;
  readonly #clock: Clock;
  #sounds = 0;
  #isLeaving = false;

  constructor(client: WebSocket, fault: Fault | null, clock: Clock) {
    this.#client = client;
    this.#fault = fault;
    this.#clock = clock;
  }

  send(message: ServerMessage): void {
    if (this.#client.readyState !== this.#client.OPEN) return;
    if (message.serverContent?.modelTurn !== undefined) this.#sounds += 1;
    const fault = this.#fault;
    if (fault?.kind === 'drop' && this.#sounds > fault.afterDeltas) return this.#client.terminate();
    if (fault?.kind === 'close-1000' && this.#sounds > 0) return this.#client.close(NORMAL);
    if (fault?.kind === 'error-event' && this.#sounds > 0) {
      return this.#client.close(INTERNAL_ERROR, 'The model is overloaded. Please try again later.');
    }
    if (fault?.kind === 'go-away' && this.#sounds > 0) this.#leave();
    const isAnswer = message.serverContent !== undefined && message.serverContent.inputTranscription === undefined;
    if (!isAnswer) return this.#write(message);
    if (fault?.kind === 'stall') return;
    if (fault?.kind === 'garbage-json') {
      for (let sent = 0; sent < GARBAGE_MESSAGES; sent += 1) this.#client.send(Buffer.from(GARBAGE));
      return;
    }
    const { usageMetadata: _usage, ...withoutUsage } = message;
    this.#write(fault?.kind === 'no-usage' ? withoutUsage : message);
  }

  #leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#write({ goAway: { timeLeft: `${TIME_LEFT_SECONDS}s` } });
    this.#clock.after(TIME_LEFT_SECONDS * 1_000, () => this.#client.close(GOING_AWAY));
  }

  #write(message: ServerMessage): void {
    this.#client.send(Buffer.from(JSON.stringify(message)));
  }
}
