import { EnvError, pause, type Clock } from '@outdial/kernel';
import { checkDatabase } from '@outdial/persistence';

const PAUSE_MS = 1_000;

/**
 * Detects a database that this worker can never work with, such as one that lacks the newest migration: treated as an outage, it
 * would wait in vain. A database that is away yields no verdict.
 * @returns whether it is known to be usable
 * @throws EnvError
 */
export async function checkOwnDatabase(url: string): Promise<boolean> {
  const verdict = await checkDatabase(url);
  if (verdict.kind === 'unusable') throw new EnvError(`DATABASE_URL cannot be used: ${verdict.reason}.`);
  return verdict.kind === 'usable';
}

/** Repeats the check until the database has answered. @throws EnvError */
export async function checkDatabaseUntilKnown(url: string, clock: Clock): Promise<void> {
  while (!(await checkOwnDatabase(url))) await pause(clock, PAUSE_MS);
}
