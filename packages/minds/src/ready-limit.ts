import type { Clock, Timer } from '@outdial/kernel';

/** From the answer, or from a connection that begins after it. The callee listens to the first message, or waits. */
const ONCE_ANSWERED_MS = 3_000;
/** While it rings no callee waits. A provider that is down must still end the call before the callee picks up. */
export const WHILE_RINGING_MS = 15_000;

/** Until when a connection must be ready. */
export interface ReadyLimit {
  /** `late` is called once a connection that begins now has taken too long. */
  watch(late: () => void): Timer;
}

/** For a connection that a fallback can replace, or that a callee waits for. */
export function fixedReadyLimit(clock: Clock): ReadyLimit {
  return { watch: (late) => clock.after(ONCE_ANSWERED_MS, late) };
}

/** The limit of a call's connections that nothing can replace: the time that the telephone rings does not count. */
export class CallReadyLimit implements ReadyLimit {
  readonly #clock: Clock;
  readonly #watched = new Set<Watched>();
  #isAnswered = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(late: () => void): Timer {
    const watched: Watched = { late, timer: null };
    this.#watched.add(watched);
    this.#start(watched);
    return { cancel: () => this.#forget(watched) };
  }

  /** From now on the callee waits. Idempotent. */
  answered(): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    for (const watched of this.#watched) {
      watched.timer?.cancel();
      this.#start(watched);
    }
  }

  #start(watched: Watched): void {
    watched.timer = this.#clock.after(this.#isAnswered ? ONCE_ANSWERED_MS : WHILE_RINGING_MS, () => {
      this.#forget(watched);
      watched.late();
    });
  }

  #forget(watched: Watched): void {
    this.#watched.delete(watched);
    watched.timer?.cancel();
  }
}

interface Watched {
  readonly late: () => void;
  timer: Timer | null;
}
