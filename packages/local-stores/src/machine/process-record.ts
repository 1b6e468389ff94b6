import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Identifies a process uniquely: pids are reused, a pid with its start time is not. Code that ends a process compares
 * both first, so that a stale file never kills an unrelated process.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; unique per process, also across reboots. */
  readonly startToken: string;
}

const POLL_MS = 20;

/** The identity of a running process; undefined once it has ended. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startToken = platform() === 'linux' ? linuxStartToken(pid) : psStartToken(pid);
  return startToken === undefined ? undefined : { pid, startToken };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startToken === identity.startToken;
}

/** The name of a running process's program. */
export function programOf(pid: number): string | undefined {
  return (platform() === 'linux' ? readIfPresent(`/proc/${pid}/comm`) : ps(pid, 'comm='))?.trim();
}

/** The folder that a running process works in; undefined where the system does not report it. */
export function workingDirOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has ended or belongs to another account, or this is macOS.
    return undefined;
  }
}

/** The process of a record (an identity as JSON), if that same process still runs. */
export function recordedProcess(path: string): ProcessIdentity | undefined {
  return processOf(readIfPresent(path) ?? '');
}

/** The same for the text of a record. One that a crash has truncated names no process. */
export function processOf(record: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(record);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startToken' in value)) return undefined;
    const { pid, startToken } = value;
    if (typeof pid !== 'number' || typeof startToken !== 'string') return undefined;
    return isRunning({ pid, startToken }) ? { pid, startToken } : undefined;
  } catch {
    return undefined;
  }
}

/** Asks a process to end, and kills it after `graceMs`. Resolves once it is gone. */
export async function endProcess(identity: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  // A stopped (SIGSTOP) process reacts only to SIGKILL until it is continued.
  signalProcess(identity, 'SIGCONT');
  signalProcess(identity, signal);
  const deadline = performance.now() + graceMs;
  while (isRunning(identity)) {
    if (performance.now() >= deadline) signalProcess(identity, 'SIGKILL');
    await sleep(POLL_MS);
  }
}

function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // The process ended between the check and the signal.
  }
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
  const [state, ...started] = ps(pid, 'stat=,lstart=')?.split(/\s+/) ?? [];
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}

/** For macOS; small Linux images have no `ps`. */
function ps(pid: number, columns: string): string | undefined {
  try {
    // A fixed locale: dates are compared as text.
    const env = { ...process.env, LC_ALL: 'C' };
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8', env }).trim();
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
