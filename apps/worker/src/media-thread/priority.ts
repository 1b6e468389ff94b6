import { raiseThreadPriority, runInRealTime, unreachable } from '@outdial/kernel';

/** How the system schedules the media thread, from the best to what every thread has. */
export const MEDIA_PRIORITIES = ['real_time', 'raised', 'normal'] as const;
export type MediaPriority = (typeof MEDIA_PRIORITIES)[number];

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
