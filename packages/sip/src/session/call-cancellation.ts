import { TimerSet, type Clock } from '../clock.ts';
import { TRANSACTION_TIMEOUT_MS } from '../transaction/timer-values.ts';
import type { InviteDialer } from './invite-dialer.ts';
import { NO_ANSWER, NORMAL_CLEARING } from './end-reasons.ts';
import { sessionEnd, type SessionEnd } from './session.ts';

/** Why an answer is no longer wanted. */
export type CancellationReason = 'cancelled' | 'no_answer';

export interface CancellationOptions {
  readonly clock: Clock;
  readonly dialer: Pick<InviteDialer, 'stop' | 'cancel' | 'abandon'>;
  /** The ring timeout passed. */
  readonly onRingTimeout: () => void;
  /** The far end did not answer the CANCEL. */
  readonly onUnconfirmed: (end: SessionEnd) => void;
}

/** Cancels a call that was not answered, after the ring timeout or when the caller asks. */
export class CallCancellation {
  readonly #options: CancellationOptions;
  readonly #timers: TimerSet<'ring' | 'cancel' | 'late'>;
  #reason: CancellationReason | null = null;

  constructor(options: CancellationOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
  }

  /** Null while an answer is still wanted. */
  get reason(): CancellationReason | null {
    return this.#reason;
  }

  ringFor(ms: number): void {
    this.#timers.start('ring', ms, this.#options.onRingTimeout);
  }

  /** No INVITE is sent from now on. False if that was already decided. */
  decide(reason: CancellationReason): boolean {
    if (this.#reason !== null) return false;
    this.#reason = reason;
    this.#timers.cancel('ring');
    this.#options.dialer.stop();
    return true;
  }

  /** Call this once a response came: a CANCEL before that has no effect (RFC 3261 section 9.1). */
  cancel(): void {
    const { dialer, onUnconfirmed } = this.#options;
    dialer.cancel(this.#reason === 'no_answer' ? NO_ANSWER : NORMAL_CLEARING);
    this.#timers.start('cancel', TRANSACTION_TIMEOUT_MS, () => {
      onUnconfirmed(sessionEnd(this.#reason ?? 'cancelled', 'local', 'no final response after CANCEL'));
      // A 2xx that arrives even now is acknowledged and hung up.
      this.#timers.start('late', TRANSACTION_TIMEOUT_MS, () => dialer.abandon());
    });
  }

  /** The call was answered, or has ended. */
  stop(): void {
    this.#timers.cancelAll();
  }
}
