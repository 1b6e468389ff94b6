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
  /**
   * Calls `onPrepare` once before every tick from now on: at the tick itself, or, for one of several phases, as soon as
   * the tick of the phase before is over. Work that is done here delays no subscriber of a tick.
   */
  prepare(onPrepare: () => void): TickSubscription;
}

/** A clock of a single phase: a tick is prepared right before it. */
export function createMediaClock(options: MediaClockOptions): MediaClock {
  return new PhasedClock(1, options).phase(0);
}

/**
 * Clocks whose ticks are spread evenly over every 20 ms, so that the work of many calls is too. A tick is prepared one
 * phase ahead: all packets of a phase leave before anything of the next one is heard.
 */
export function createPhasedClocks(phases: number, options: MediaClockOptions): readonly MediaClock[] {
  const clock = new PhasedClock(phases, options);
  return Array.from({ length: phases }, (_, nth) => clock.phase(nth));
}

interface Subscriber {
  readonly run: (dueMs: number) => void;
  /** A subscriber that joins while the clock is behind does not get ticks from before. */
  readonly firstSlot: number;
}

interface Phase {
  readonly preparing: Set<Subscriber>;
  readonly ticking: Set<Subscriber>;
}

/**
 * Time is divided into slots, one for each phase in turn. Slots follow an absolute schedule, so that rounding and late
 * timers never add up. After a stall the clock catches up a few ticks at a time. Without subscribers it sleeps.
 */
class PhasedClock {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #speed: number;
  readonly #slotMs: number;
  readonly #slotsPerWake: number;
  readonly #maxBacklogSlots: number;
  readonly #phases: readonly Phase[];
  #subscribers = 0;
  #originMs = 0;
  #slotsDone = 0;
  #isRunning = false;
  #timer: Timer | undefined;

  constructor(phases: number, { clock, speed = 1, onError }: MediaClockOptions) {
    invariant(speed > 0 && Number.isFinite(speed), 'a media clock needs a positive speed');
    this.#clock = clock;
    this.#onError = onError;
    this.#speed = speed;
    this.#slotMs = FRAME_MS / speed / phases;
    // Timers are no finer than a millisecond: at high speed several ticks are due at every wake-up.
    this.#slotsPerWake = TICKS_PER_WAKE * phases * Math.max(1, Math.ceil(speed));
    this.#maxBacklogSlots = Math.max(MAX_BACKLOG_TICKS * phases, this.#slotsPerWake);
    this.#phases = Array.from({ length: phases }, () => ({ preparing: new Set(), ticking: new Set() }));
  }

  phase(nth: number): MediaClock {
    const { preparing, ticking } = this.#phaseOf(nth);
    return {
      speed: this.#speed,
      subscribe: (run) => this.#join(ticking, run),
      prepare: (run) => this.#join(preparing, run),
    };
  }

  #join(subscribers: Set<Subscriber>, run: Subscriber['run']): TickSubscription {
    if (this.#subscribers === 0 && !this.#isRunning) this.#begin();
    // Inside a slot, now is that slot: a call that is answered there hears the callee's first word.
    const nowSlots = this.#isRunning ? this.#slotsDone : this.#slotsDue();
    const subscriber = { run, firstSlot: nowSlots + 1 };
    subscribers.add(subscriber);
    this.#subscribers += 1;
    return {
      cancel: () => {
        if (!subscribers.delete(subscriber)) return;
        this.#subscribers -= 1;
        if (this.#subscribers === 0) this.#timer?.cancel();
      },
    };
  }

  #begin(): void {
    this.#originMs = this.#clock.monotonicMs();
    this.#slotsDone = 0;
    this.#arm();
  }

  #slotsDue(): number {
    return Math.floor((this.#clock.monotonicMs() - this.#originMs) / this.#slotMs);
  }

  #arm(waitsAtLeastMs = 0): void {
    const dueMs = this.#originMs + (this.#slotsDone + 1) * this.#slotMs;
    const waitMs = Math.max(waitsAtLeastMs, dueMs - this.#clock.monotonicMs());
    this.#timer = this.#clock.after(Math.ceil(waitMs), () => this.#wake());
  }

  #wake(): void {
    const slotsDue = this.#slotsDue();
    // Skipped time counts as done: the schedule itself stays where it is.
    if (slotsDue - this.#slotsDone > this.#maxBacklogSlots) this.#slotsDone = slotsDue - this.#slotsPerWake;
    const until = Math.min(slotsDue, this.#slotsDone + this.#slotsPerWake);
    this.#isRunning = true;
    while (this.#slotsDone < until) this.#runSlot();
    this.#isRunning = false;
    // What is left of a long stall waits a tick, or it would all be sent at once. A slot that came due while the last one
    // ran is late already, and waits for nothing.
    if (this.#subscribers > 0) this.#arm(until < slotsDue ? FRAME_MS / this.#speed : 0);
  }

  #runSlot(): void {
    this.#slotsDone += 1;
    const slot = this.#slotsDone;
    if (this.#phases.length === 1) this.#run(this.#phaseOf(slot).preparing, slot);
    this.#run(this.#phaseOf(slot).ticking, slot);
    if (this.#phases.length > 1) this.#run(this.#phaseOf(slot + 1).preparing, slot + 1);
  }

  #run(subscribers: ReadonlySet<Subscriber>, slot: number): void {
    const dueMs = this.#originMs + slot * this.#slotMs;
    for (const { run, firstSlot } of subscribers) {
      if (firstSlot > slot) continue;
      try {
        run(dueMs);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #phaseOf(slot: number): Phase {
    const phase = this.#phases[slot % this.#phases.length];
    invariant(phase, 'a clock has one phase or more');
    return phase;
  }
}
