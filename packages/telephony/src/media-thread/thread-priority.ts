import { setPriority } from 'node:os';

/** Ahead of everything else on the machine, and behind what the system needs for itself. */
const NICENESS = -10;

/**
 * Raises the priority of the calling thread, where the system permits it (root, or CAP_SYS_NICE): on a busy machine,
 * voice that waits for a processor is heard as gaps. Call this in the media thread. False if it is not permitted, or
 * the system has no thread priorities: there the priority of the whole process would change.
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
