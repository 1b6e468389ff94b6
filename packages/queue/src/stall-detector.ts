import type { Clock } from '@outdial/kernel';

/** Calls wait, there is room for them, and none was taken for this long: the BullMQ worker has stalled. */
export const STALLED_AFTER_MS = 30_000;

/** Distinguishes a stalled BullMQ worker from one without work. */
export interface StallDetector {
  taken(): void;
  /** Call it every few seconds. */
  isStalled(seen: { readonly waiting: number; readonly room: number }): boolean;
}

export function createStallDetector(clock: Clock): StallDetector {
  let idleOrBusyAtMs = clock.monotonicMs();
  return {
    taken() {
      idleOrBusyAtMs = clock.monotonicMs();
    },
    isStalled({ waiting, room }) {
      const nowMs = clock.monotonicMs();
      if (waiting === 0 || room <= 0) idleOrBusyAtMs = nowMs;
      if (nowMs - idleOrBusyAtMs < STALLED_AFTER_MS) return false;
      // A replacement gets the same time to show that it works.
      idleOrBusyAtMs = nowMs;
      return true;
    },
  };
}
