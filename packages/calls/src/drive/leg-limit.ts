import type { Clock, Timer } from '@outdial/kernel';
import type { CallLimits } from '../call.ts';
import { monotonicNowMs } from '../settle/call-times.ts';

/** The carrier enforces the ring timeout itself, and may need its whole transaction time (32 s) to report the outcome. */
const RING_GRACE_MS = 40_000;

/** How long a silent leg may stay up beyond its maximum ringing and talk time and our hang-up. */
const GONE_GRACE_MS = 60_000;

/** How long a leg may be in its current phase. The limit of a phase replaces that of the last one. */
export class LegLimit {
  readonly #clock: Clock;
  readonly #ringMs: number;
  readonly #talkMs: number;
  #timer: Timer | undefined;

  constructor(clock: Clock, { ringTimeoutSeconds, maxDurationSeconds }: CallLimits) {
    this.#clock = clock;
    this.#ringMs = ringTimeoutSeconds * 1_000;
    this.#talkMs = maxDurationSeconds * 1_000;
  }

  ringing(dialledAtMs: number, reached: () => void): void {
    this.#set(dialledAtMs + this.#ringMs + RING_GRACE_MS, reached);
  }

  talking(answeredAtMs: number, reached: (atMs: number) => void): void {
    const atMs = answeredAtMs + this.#talkMs;
    this.#set(atMs, () => reached(atMs));
  }

  /** Until the carrier must have reported that the leg is gone. */
  hangingUp(dialledAtMs: number, reached: () => void): void {
    const longestMs = dialledAtMs + this.#ringMs + this.#talkMs;
    this.#set(Math.max(longestMs, monotonicNowMs(this.#clock)) + GONE_GRACE_MS, reached);
  }

  cancel(): void {
    this.#timer?.cancel();
  }

  #set(atMs: number, reached: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(atMs - this.#clock.monotonicMs(), reached);
  }
}
