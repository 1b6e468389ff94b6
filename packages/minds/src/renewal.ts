import type { Clock } from '@outdial/kernel';
import type { Mind, MindEvent } from './mind.ts';

/** A new connection that fails is tried again after this time. */
const AGAIN_AFTER_MS = 60_000;

/** A connection beside the one that is used. */
export interface OtherConnection {
  readonly mind: Mind;
  /** Uses this one from now on, and closes the other. */
  take(): void;
}

export interface RenewalInput {
  readonly clock: Clock;
  /** How long a connection is used. */
  readonly afterMs: number;
  /** `listener` has its events until it is taken. */
  readonly open: (listener: (event: MindEvent) => void) => OtherConnection;
}

/** Replaces a connection in a pause, before its provider ends it. The old one is used until the new one is ready. */
export class Renewal {
  readonly #input: RenewalInput;
  #dueMs: number;
  #next: OtherConnection | null = null;

  constructor(input: RenewalInput) {
    this.#input = input;
    this.#dueMs = input.clock.monotonicMs() + input.afterMs;
  }

  /** Call it for all sound. `isPause`: no side speaks, and no answer is awaited. */
  hear(ulaw: Uint8Array, fromMs: number, isPause: boolean): void {
    if (!isPause) return this.giveUp();
    if (this.#next !== null) return this.#next.mind.hear(ulaw, fromMs);
    if (this.#input.clock.monotonicMs() >= this.#dueMs) this.#begin();
  }

  /** The provider ends the connection before its time. */
  expires(): void {
    this.#dueMs = this.#input.clock.monotonicMs();
  }

  /** Something happens that the new connection has not heard of: another pause will come. */
  giveUp(): void {
    this.#next?.mind.close();
    this.#next = null;
  }

  /** The connection that is used is a new one. */
  restart(): void {
    this.giveUp();
    this.#dueMs = this.#input.clock.monotonicMs() + this.#input.afterMs;
  }

  #begin(): void {
    const next = this.#input.open((event) => {
      if (this.#next !== next) return;
      if (event.kind === 'failed') this.#failed();
      if (event.kind === 'ready') this.#take(next);
    });
    this.#next = next;
  }

  #failed(): void {
    this.#next = null;
    this.#dueMs = this.#input.clock.monotonicMs() + AGAIN_AFTER_MS;
  }

  #take(next: OtherConnection): void {
    this.#next = null;
    this.restart();
    next.take();
  }
}
