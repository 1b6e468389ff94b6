import { unreachable, type Clock } from '@outdial/kernel';
import type { CalleeSignal, Persona, TransferAnswer } from './persona.ts';
import { TimedCallee } from './timed-callee.ts';

export const ACCEPTS: TransferAnswer = { kind: 'accepts' };

export interface TransferredCallOptions {
  /** At the destination. */
  readonly persona: Persona;
  readonly clock: Pick<Clock, 'after'>;
  /** The status of the new call: provisional ones, then at most one final one. */
  readonly onStatus: (sipCode: number) => void;
}

/** The call that a transfer makes, up to its answer: without sound, by the persona of the number that it calls. */
export class TransferredCall {
  readonly #callee: TimedCallee;
  readonly #onStatus: (sipCode: number) => void;

  constructor({ persona, clock, onStatus }: TransferredCallOptions) {
    this.#onStatus = onStatus;
    this.#callee = new TimedCallee({ persona, clock, onSignal: (signal) => this.#onSignal(signal) });
  }

  begin(): void {
    this.#callee.begin();
  }

  /** Nothing more is reported. Idempotent. */
  stop(): void {
    this.#callee.stop();
  }

  #onSignal(signal: CalleeSignal): void {
    switch (signal.kind) {
      case 'ring':
        return this.#onStatus(180);
      case 'progress':
        return this.#onStatus(183);
      case 'answer':
        return this.#end(200);
      case 'reject':
        return this.#end(signal.sipCode);
      case 'hang_up':
      case 'hold':
      case 'press':
        return;
      default:
        return unreachable(signal);
    }
  }

  #end(sipCode: number): void {
    this.stop();
    this.#onStatus(sipCode);
  }
}
