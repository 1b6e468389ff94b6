import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

/** Writes who runs, in the same tick as the spawn: a crash right after it still leaves a way to find the process. */
export function recordProcess(path: string, pid: number): void {
  const identity = identifyProcess(pid);
  if (identity) writeFileSync(path, JSON.stringify(identity), { mode: 0o600 });
}

/** The recorded process, if it still runs and is the very one that was recorded. */
export function recordedProcess(path: string): ProcessIdentity | undefined {
  try {
    return processOf(readFileSync(path, 'utf8'));
  } catch {
    // Missing: then nothing is known of the process, and nothing is done to it.
    return undefined;
  }
}

/** The same of what was read from a record. */
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
    // Cut off by a crash: no more is known of the process than if the record were missing.
    return undefined;
  }
}
