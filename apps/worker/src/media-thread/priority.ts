import { raiseThreadPriority, runInRealTime, unreachable } from '@outdial/kernel';
import type { MediaPriority } from '../settings/media-priority.ts';

/** Ahead of everything else on the machine, and behind what the system needs for itself: late voice is heard as gaps. */
const NICENESS = -10;

/** What the system is asked for; false: it does not permit it. */
export interface ThreadPriorities {
  readonly raiseThreadPriority: (niceness: number) => boolean;
  readonly runInRealTime: () => boolean;
}

/** Raises the priority of the calling thread as far as it is wanted and the system permits. @returns what it has now */
export function raiseOwnPriority(
  wanted: MediaPriority,
  system: ThreadPriorities = { raiseThreadPriority, runInRealTime },
): MediaPriority {
  switch (wanted) {
    case 'real_time':
      return system.runInRealTime() ? 'real_time' : raiseOwnPriority('raised', system);
    case 'raised':
      return system.raiseThreadPriority(NICENESS) ? 'raised' : 'normal';
    case 'normal':
      return 'normal';
    default:
      return unreachable(wanted);
  }
}
