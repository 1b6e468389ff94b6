import { TimerSet, type Clock } from '../clock.ts';
import { parseRAck } from '../syntax/cseq.ts';
import type { ReceivedRequest, SipResponse } from '../syntax/message.ts';
import { TRANSACTION_TIMEOUT_MS, T1_MS } from '../transaction/timer-values.ts';

/**
 * Retransmits provisional responses until their PRACK (RFC 3262 section 3), one at a time: the next one and the final
 * response wait for it.
 */
export class ReliableProvisionals {
  readonly #timers: TimerSet<'repeat' | 'give_up'>;
  readonly #send: (response: SipResponse) => void;
  readonly #onNoPrack: () => void;
  readonly #waiting: (() => void)[] = [];
  #rseq: number;
  #pending: number | undefined;

  constructor(options: {
    readonly clock: Clock;
    readonly firstRSeq: number;
    readonly send: (response: SipResponse) => void;
    readonly onNoPrack: () => void;
  }) {
    this.#timers = new TimerSet(options.clock);
    this.#rseq = options.firstRSeq;
    this.#send = options.send;
    this.#onNoPrack = options.onNoPrack;
  }

  /** Adds RSeq and Require, and sends the response. */
  send(response: SipResponse): void {
    this.afterPending(() => {
      const rseq = this.#rseq;
      this.#rseq += 1;
      this.#pending = rseq;
      response.headers.add('require', '100rel').add('rseq', String(rseq));
      this.#send(response);
      this.#repeatAfter(T1_MS, response);
      this.#timers.start('give_up', TRANSACTION_TIMEOUT_MS, () => {
        this.stop();
        this.#onNoPrack();
      });
    });
  }

  /** Runs `action` at once, or when every earlier response is acknowledged. */
  afterPending(action: () => void): void {
    if (this.#pending === undefined && this.#waiting.length === 0) action();
    else this.#waiting.push(action);
  }

  /** False for a PRACK that matches no pending response: reject it with 481. */
  acknowledge({ headers }: ReceivedRequest, inviteCSeq: number): boolean {
    const rack = parseRAck(headers.get('rack') ?? '');
    if (rack === undefined || rack.rseq !== this.#pending || rack.number !== inviteCSeq) return false;
    this.#pending = undefined;
    this.#timers.cancelAll();
    while (this.#pending === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      next();
    }
    return true;
  }

  stop(): void {
    this.#timers.cancelAll();
    this.#waiting.length = 0;
  }

  #repeatAfter(delayMs: number, response: SipResponse): void {
    this.#timers.start('repeat', delayMs, () => {
      this.#send(response);
      this.#repeatAfter(delayMs * 2, response);
    });
  }
}
