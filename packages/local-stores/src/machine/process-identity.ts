import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';

/**
 * Identifies a process uniquely: pids are reused, a pid with its start time is not. Code that ends a process compares
 * both first, so that a stale file never kills an unrelated process.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; unique per process, also across reboots. */
  readonly startToken: string;
}

/**
 * The identity of a running process; undefined once it has ended. Synchronous, so that the process cannot exit in
 * between.
 */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startToken = platform() === 'linux' ? linuxStartToken(pid) : psStartToken(pid);
  return startToken === undefined ? undefined : { pid, startToken };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startToken === identity.startToken;
}

/** proc(5): the state follows the command in parentheses; field 22 is the start time in ticks since boot. */
function linuxStartToken(pid: number): string | undefined {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; its parent has not reaped it yet.
  if (state === 'Z' || state === 'X') return undefined;
  const bootId = readIfPresent('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${bootId}:${fields[18]}`;
}

function psStartToken(pid: number): string | undefined {
  try {
    // A fixed locale: the date is compared as text.
    const env = { ...process.env, LC_ALL: 'C' };
    const text = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim();
    const [state, ...started] = text.split(/\s+/);
    return state === undefined || state === '' || state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
