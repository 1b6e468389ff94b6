import type { Clock } from '@outdial/kernel';
import { elapsedMs, type Instant } from '../lease.ts';

/**
 * How long after Postgres allowed it a dial may begin, so that a pause, or an entry of a do-not-call list, stops every dial
 * within this time of its commit. It counts from before the question was sent, and so needs no clock but the worker's own.
 */
export const DIAL_PERMIT_MS = 1_000;

/** The moment in which a leg may be dialed. */
export class DialWindow {
  readonly #clock: Clock;
  /** From before the last statement was sent that found neither a pause nor an entry of a do-not-call list. */
  #allowedAt: Instant;
  /** Something was sent for the current dial attempt: answering its challenge is no new dial. */
  #isAttemptSent = false;
  #wasUsed = false;

  constructor(clock: Clock, allowedAt: Instant) {
    this.#clock = clock;
    this.#allowedAt = allowedAt;
  }

  /** Something may have been sent to the carrier. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  /** Whether the carrier may send now. It sends in the same tick. */
  use(isValid: boolean): boolean {
    const permitted = isValid && this.#isAllowed();
    this.#wasUsed ||= permitted;
    this.#isAttemptSent ||= permitted;
    return permitted;
  }

  /** Postgres has allowed another dial attempt. */
  restart(allowedAt: Instant): void {
    this.#allowedAt = allowedAt;
    this.#isAttemptSent = false;
  }

  #isAllowed(): boolean {
    return this.#isAttemptSent || elapsedMs(this.#clock, this.#allowedAt) < DIAL_PERMIT_MS;
  }
}
