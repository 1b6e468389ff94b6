import { TimerSet, type Clock } from '../clock.ts';
import { PATIENCE_MS } from '../transaction/timer-values.ts';
import type { InviteDialer } from './invite-dialer.ts';
import { NO_ANSWER, NORMAL_CLEARING } from './leave-reasons.ts';
import { sessionEnd, type SessionEnd } from './session.ts';

/** Why an answer is not wanted any more. */
export type GiveUpReason = 'cancelled' | 'no_answer';

export interface GivingUpOptions {
  readonly clock: Clock;
  readonly dialer: Pick<InviteDialer, 'stop' | 'cancel' | 'abandon'>;
  /** It has rung for as long as it may. */
  readonly onRungOut: () => void;
  /** The far end has not answered the CANCEL. */
  readonly onUnconfirmed: (end: SessionEnd) => void;
}

/** How a call that nobody has answered is given up: when it has rung for long enough, or by whoever placed it. */
export class GivingUp {
  readonly #options: GivingUpOptions;
  readonly #timers: TimerSet<'ring' | 'cancel' | 'late'>;
  #reason: GiveUpReason | null = null;

  constructor(options: GivingUpOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
  }

  /** Null while an answer is welcome. */
  get reason(): GiveUpReason | null {
    return this.#reason;
  }

  ringFor(ms: number): void {
    this.#timers.start('ring', ms, this.#options.onRungOut);
  }

  /** No INVITE is sent from now on. False if that was decided before. */
  decide(reason: GiveUpReason): boolean {
    if (this.#reason !== null) return false;
    this.#reason = reason;
    this.#timers.cancel('ring');
    this.#options.dialer.stop();
    return true;
  }

  /** To be called once something has come back: a CANCEL before that means nothing (RFC 3261 section 9.1). */
  cancel(): void {
    const { dialer, onUnconfirmed } = this.#options;
    dialer.cancel(this.#reason === 'no_answer' ? NO_ANSWER : NORMAL_CLEARING);
    this.#timers.start('cancel', PATIENCE_MS, () => {
      onUnconfirmed(sessionEnd(this.#reason ?? 'cancelled', 'local', 'no final response after CANCEL'));
      // A 2xx that comes even now is acknowledged and hung up.
      this.#timers.start('late', PATIENCE_MS, () => dialer.abandon());
    });
  }

  /** It was answered, or is over. */
  stop(): void {
    this.#timers.cancelAll();
  }
}
