import { TimerSet, type Clock } from '../clock.ts';
import { PATIENCE_MS } from '../transaction/timer-values.ts';
import type { InviteDialer } from './invite-dialer.ts';
import { NO_ANSWER, NORMAL_CLEARING } from './leave-reasons.ts';
import { sessionEnd, type SessionEnd } from './session.ts';

/** Why an answer is no longer wanted. */
export type GiveUpReason = 'cancelled' | 'no_answer';

export interface GivingUpOptions {
  readonly clock: Clock;
  readonly dialer: Pick<InviteDialer, 'stop' | 'cancel' | 'abandon'>;
  /** The ring timeout passed. */
  readonly onRungOut: () => void;
  /** The far end did not answer the CANCEL. */
  readonly onUnconfirmed: (end: SessionEnd) => void;
}

/** Cancels a call that was not answered, after the ring timeout or when the caller asks. */
export class GivingUp {
  readonly #options: GivingUpOptions;
  readonly #timers: TimerSet<'ring' | 'cancel' | 'late'>;
  #reason: GiveUpReason | null = null;

  constructor(options: GivingUpOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
  }

  /** Null while an answer is still wanted. */
  get reason(): GiveUpReason | null {
    return this.#reason;
  }

  ringFor(ms: number): void {
    this.#timers.start('ring', ms, this.#options.onRungOut);
  }

  /** No INVITE is sent from now on. False if that was already decided. */
  decide(reason: GiveUpReason): boolean {
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
    this.#timers.start('cancel', PATIENCE_MS, () => {
      onUnconfirmed(sessionEnd(this.#reason ?? 'cancelled', 'local', 'no final response after CANCEL'));
      // A 2xx that arrives even now is acknowledged and hung up.
      this.#timers.start('late', PATIENCE_MS, () => dialer.abandon());
    });
  }

  /** The call was answered, or has ended. */
  stop(): void {
    this.#timers.cancelAll();
  }
}
