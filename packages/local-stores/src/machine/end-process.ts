import { setTimeout as sleep } from 'node:timers/promises';

import { isRunning, type ProcessIdentity } from './process-identity.ts';

const POLL_MS = 20;

/** Asks a process to end, and kills it after `graceMs`. Resolves once it is gone. */
export async function endProcess(
  identity: ProcessIdentity,
  stopSignal: NodeJS.Signals,
  graceMs: number,
): Promise<void> {
  // A stopped (SIGSTOP) process reacts only to SIGKILL until it is continued.
  signalProcess(identity, 'SIGCONT');
  signalProcess(identity, stopSignal);
  if (await endsWithin(identity, graceMs)) return;
  signalProcess(identity, 'SIGKILL');
  await endsWithin(identity, graceMs);
}

/** Signals the process if it is still the identified one. */
function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // The process ended between the check and the signal.
  }
}

async function endsWithin(identity: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (isRunning(identity)) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
