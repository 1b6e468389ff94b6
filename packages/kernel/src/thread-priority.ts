import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';

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

/** The lowest of the real-time priorities, which is ahead of every thread that has none (sched(7)). */
const REAL_TIME_PRIORITY = '1';
const CHRT_TIMEOUT_MS = 2_000;

/**
 * Lets the calling thread run as soon as it has work, ahead of all threads without real-time priority (`SCHED_RR`). False if
 * the system does not permit it (root, CAP_SYS_NICE, or a limit `rtprio` of 1), has no `chrt`, or has a single core, which the
 * thread could keep from everything else.
 */
export function runInRealTime(): boolean {
  if (process.platform !== 'linux' || availableParallelism() < 2) return false;
  try {
    const threadId = readlinkSync('/proc/thread-self').split('/').at(-1) ?? '';
    const options = ['--rr', '--reset-on-fork', '--pid', REAL_TIME_PRIORITY, threadId];
    // Its environment has no secret of this process.
    execFileSync('chrt', options, {
      stdio: 'ignore',
      timeout: CHRT_TIMEOUT_MS,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    return true;
  } catch {
    return false;
  }
}
