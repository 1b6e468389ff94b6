import { TimerSet, type Clock } from '../clock.ts';
import type { InviteServerTransaction } from '../transaction/invite-server-transaction.ts';
import { TRANSACTION_TIMEOUT_MS, T1_MS, T2_MS } from '../transaction/timer-values.ts';

/**
 * Retransmits the 2xx to an INVITE until its ACK, over any transport: another hop may lose it (RFC 3261 section
 * 13.3.1.4).
 */
export class AcceptedInvite {
  readonly cseq: number;
  readonly #timers: TimerSet<'repeat' | 'give_up'>;

  constructor(transaction: InviteServerTransaction, clock: Clock, onNoAck: () => void) {
    this.cseq = transaction.request.cseq.number;
    this.#timers = new TimerSet(clock);
    const repeatAfter = (delayMs: number) =>
      this.#timers.start('repeat', delayMs, () => {
        transaction.repeatAccepted();
        repeatAfter(Math.min(delayMs * 2, T2_MS));
      });
    repeatAfter(T1_MS);
    this.#timers.start('give_up', TRANSACTION_TIMEOUT_MS, () => {
      this.stop();
      onNoAck();
    });
  }

  /** The ACK came, or is no longer needed. */
  stop(): void {
    this.#timers.cancelAll();
  }
}
