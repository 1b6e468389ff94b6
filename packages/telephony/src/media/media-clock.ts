import { FRAME_MS } from '@outdial/calls';
import { invariant, type Clock, type Timer } from '@outdial/kernel';

/** Ticks that one wake-up may run at speed 1. More would be a burst that far jitter buffers throw away. */
const TICKS_PER_WAKE = 5;
/** A process that was away longer than this (a suspended machine) does not play the lost time after the fact. */
const LONGEST_BACKLOG_TICKS = 250;

export interface MediaClockOptions {
  readonly clock: Clock;
  /** How many times faster than life it runs; 10 makes a tick of 20 ms take 2 ms. Default 1. */
  readonly speed?: number;
  /** Where in every 20 ms its ticks lie. Several clocks with phases of their own spread the work of many calls. */
  readonly phaseMs?: number;
  /** Told what a subscriber threw. The other subscribers' tick goes on. */
  readonly onError: (error: unknown) => void;
}

export interface TickSubscription {
  /** Idempotent; also from inside a tick. */
  cancel(): void;
}

/** One clock for all calls of a process: a tick is 20 ms of everybody's media time. */
export interface MediaClock {
  readonly speed: number;
  /**
   * Called once for every 20 ms of media time from now on, in the order of subscription. `dueMs` is when the tick should
   * have been, by the monotonic clock.
   */
  subscribe(onTick: (dueMs: number) => void): TickSubscription;
}

/**
 * Ticks lie on an absolute schedule, so that rounding and late timers never add up. After a stall it catches up a few
 * ticks at a time. With nobody subscribed it sleeps.
 */
export function createMediaClock(options: MediaClockOptions): MediaClock {
  return new AbsoluteMediaClock(options);
}

interface Subscriber {
  readonly onTick: (dueMs: number) => void;
  /** Who joins while the clock is behind does not get the time before it came. */
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
    // Timers are no finer than a millisecond: at high speed several ticks fall due at every wake-up.
    this.#ticksPerWake = TICKS_PER_WAKE * Math.max(1, Math.ceil(this.speed));
  }

  subscribe(onTick: (dueMs: number) => void): TickSubscription {
    if (this.#subscribers.size === 0 && !this.#ticking) this.#begin();
    // In a tick it is as late as that tick: a call that is answered there hears the callee's first word.
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
    // Still behind after a wake-up: the rest waits a period, or it would all go out at once after all.
    this.#timer = this.#clock.after(Math.ceil(waitMs > 0 ? waitMs : this.#periodMs), () => this.#wake());
  }

  #wake(): void {
    const ticksDue = this.#ticksDue();
    const longestBacklog = Math.max(LONGEST_BACKLOG_TICKS, this.#ticksPerWake);
    // Time that is given up counts as done: the schedule itself stays where it is.
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
