import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

/** Records the process in the same tick as the spawn, so that even after a crash right then it can be found. */
export function recordProcess(path: string, pid: number): void {
  const identity = identifyProcess(pid);
  if (identity) writeFileSync(path, JSON.stringify(identity), { mode: 0o600 });
}

/** The recorded process, if that same process still runs. */
export function recordedProcess(path: string): ProcessIdentity | undefined {
  try {
    return processOf(readFileSync(path, 'utf8'));
  } catch {
    // No record: no process to act on.
    return undefined;
  }
}

/** The same for the text of a record. */
export function processOf(record: string): ProcessIdentity | undefined {
  const identity = parseRecord(record);
  return identity && isRunning(identity) ? identity : undefined;
}

export async function forgetProcess(path: string): Promise<void> {
  await rm(path, { force: true });
}

function parseRecord(record: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(record);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startToken' in value)) return undefined;
    const { pid, startToken } = value;
    return typeof pid === 'number' && typeof startToken === 'string' ? { pid, startToken } : undefined;
  } catch {
    // Truncated by a crash: treated like a missing record.
    return undefined;
  }
}
