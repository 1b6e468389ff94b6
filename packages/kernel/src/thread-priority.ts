import { setPriority } from 'node:os';

/**
 * Raises the priority of the calling thread to this niceness (-20 to 0, lowest first in line), where the system permits it
 * (root, or CAP_SYS_NICE). False if it is not permitted, or the system has no thread priorities: there the priority of the
 * whole process would change.
 */
export function raiseThreadPriority(niceness: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(niceness);
    return true;
  } catch {
    return false;
  }
}
