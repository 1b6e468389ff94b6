import { setPriority } from 'node:os';

/** Before all that the machine does besides, and behind what the system needs for itself. */
const NICENESS = -10;

/**
 * Lets the calling thread go before others, where the system permits it (root, or CAP_SYS_NICE): on a machine that is
 * busy, voice that waits for a processor is heard as gaps. To be called in the media thread. False if it is not permitted,
 * or the system has no priorities for threads: there the whole process would go first.
 */
export function raiseThreadPriority(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(NICENESS);
    return true;
  } catch {
    return false;
  }
}
