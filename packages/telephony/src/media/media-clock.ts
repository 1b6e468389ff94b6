import { FRAME_MS } from '@outdial/calls';
import { invariant, type Clock, type Timer } from '@outdial/kernel';

/** Ticks that one wake-up may run at speed 1. More would be a burst that far jitter buffers discard. */
const TICKS_PER_WAKE = 5;
/** A process that was suspended longer than this does not play the lost time afterwards. */
const MAX_BACKLOG_TICKS = 250;

export interface MediaClockOptions {
  readonly clock: Clock;
  /** How many times faster than real time it runs; at 10 a tick of 20 ms takes 2 ms. Default 1. */
  readonly speed?: number;
  /** The offset of its ticks in every 20 ms. Several clocks with different phases spread the work of many calls. */
  readonly phaseMs?: number;
  /** Called with what a subscriber threw. The other subscribers' tick goes on. */
  readonly onError: (error: unknown) => void;
}

export interface TickSubscription {
  /** Idempotent; may be called inside a tick. */
  cancel(): void;
}

/** One clock for all calls of a process: a tick is 20 ms of media time. */
export interface MediaClock {
  readonly speed: number;
  /**
   * Calls `onTick` once for every 20 ms of media time from now on, in the order of subscription. `dueMs` is when the
   * tick was due, by the monotonic clock.
   */
  subscribe(onTick: (dueMs: number) => void): TickSubscription;
}

/**
 * Ticks follow an absolute schedule, so that rounding and late timers never add up. After a stall the clock catches up
 * a few ticks at a time. Without subscribers it sleeps.
 */
export function createMediaClock(options: MediaClockOptions): MediaClock {
  return new AbsoluteMediaClock(options);
}

interface Subscriber {
  readonly onTick: (dueMs: number) => void;
  /** A subscriber that joins while the clock is behind does not get ticks from before. */
  readonly firstTick: number;
}

class AbsoluteMediaClock implements MediaClock {
  readonly speed: number;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #periodMs: number;
  readonly #phaseMs: number | undefined;
  readonly #ticksPerWake: number;
  readonly #subscribers = new Set<Subscriber>();
  #originMs = 0;
  #ticksDone = 0;
  #ticking = false;
  #timer: Timer | undefined;

  constructor(options: MediaClockOptions) {
    this.speed = options.speed ?? 1;
    invariant(this.speed > 0 && Number.isFinite(this.speed), 'a media clock needs a positive speed');
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#periodMs = FRAME_MS / this.speed;
    this.#phaseMs = options.phaseMs;
    // Timers are no finer than a millisecond: at high speed several ticks are due at every wake-up.
    this.#ticksPerWake = TICKS_PER_WAKE * Math.max(1, Math.ceil(this.speed));
  }

  subscribe(onTick: (dueMs: number) => void): TickSubscription {
    if (this.#subscribers.size === 0 && !this.#ticking) this.#begin();
    // Inside a tick, now is that tick: a call that is answered there hears the callee's first word.
    const nowTicks = this.#ticking ? this.#ticksDone : this.#ticksDue();
    const subscriber = { onTick, firstTick: nowTicks + 1 };
    this.#subscribers.add(subscriber);
    return {
      cancel: () => {
        this.#subscribers.delete(subscriber);
        if (this.#subscribers.size === 0) this.#timer?.cancel();
      },
    };
  }

  #begin(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#originMs =
      this.#phaseMs === undefined ? nowMs : nowMs - positiveRemainder(nowMs - this.#phaseMs, this.#periodMs);
    this.#ticksDone = 0;
    this.#arm();
  }

  #ticksDue(): number {
    return Math.floor((this.#clock.monotonicMs() - this.#originMs) / this.#periodMs);
  }

  #arm(): void {
    const dueMs = this.#originMs + (this.#ticksDone + 1) * this.#periodMs;
    const waitMs = dueMs - this.#clock.monotonicMs();
    // If the clock is still behind after a wake-up, the rest waits a period, or it would all be sent at once.
    this.#timer = this.#clock.after(Math.ceil(waitMs > 0 ? waitMs : this.#periodMs), () => this.#wake());
  }

  #wake(): void {
    const ticksDue = this.#ticksDue();
    const longestBacklog = Math.max(MAX_BACKLOG_TICKS, this.#ticksPerWake);
    // Skipped time counts as done: the schedule itself stays where it is.
    if (ticksDue - this.#ticksDone > longestBacklog) this.#ticksDone = ticksDue - this.#ticksPerWake;
    const until = Math.min(ticksDue, this.#ticksDone + this.#ticksPerWake);
    this.#ticking = true;
    while (this.#ticksDone < until) this.#tick();
    this.#ticking = false;
    if (this.#subscribers.size > 0) this.#arm();
  }

  #tick(): void {
    this.#ticksDone += 1;
    const dueMs = this.#originMs + this.#ticksDone * this.#periodMs;
    for (const subscriber of this.#subscribers) {
      if (subscriber.firstTick > this.#ticksDone) continue;
      try {
        subscriber.onTick(dueMs);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

const positiveRemainder = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
