import { raiseThreadPriority, runInRealTime, unreachable } from '@outdial/kernel';
import type { MediaPriority } from '../settings/media-priority.ts';

/** Ahead of everything else on the machine, and behind what the system needs for itself: late voice is heard as gaps. */
const NICENESS = -10;

/** Raises the priority of the calling thread as far as it is wanted and the system permits. @returns what it has now */
export function raiseOwnPriority(wanted: MediaPriority): MediaPriority {
  switch (wanted) {
    case 'real_time':
      return runInRealTime() ? 'real_time' : raiseOwnPriority('raised');
    case 'raised':
      return raiseThreadPriority(NICENESS) ? 'raised' : 'normal';
    case 'normal':
      return 'normal';
    default:
      return unreachable(wanted);
  }
}
