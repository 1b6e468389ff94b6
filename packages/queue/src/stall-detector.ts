import type { Clock } from '@outdial/kernel';

/** Calls wait, there is room for them, and none was taken for so long: the taker is wedged. */
export const STALLED_AFTER_MS = 30_000;

/** Tells a wedged taker from one with nothing to do. */
export interface StallDetector {
  taken(): void;
  /** To be asked every few seconds. */
  isWedged(seen: { readonly waiting: number; readonly room: number }): boolean;
}

export function createStallDetector(clock: Clock): StallDetector {
  let idleOrBusyAtMs = clock.monotonicMs();
  return {
    taken() {
      idleOrBusyAtMs = clock.monotonicMs();
    },
    isWedged({ waiting, room }) {
      const nowMs = clock.monotonicMs();
      if (waiting === 0 || room <= 0) idleOrBusyAtMs = nowMs;
      if (nowMs - idleOrBusyAtMs < STALLED_AFTER_MS) return false;
      // The next one gets as long to show that it works.
      idleOrBusyAtMs = nowMs;
      return true;
    },
  };
}
