import { StoreSetupError } from '../machine/setup-error.ts';

/** One sentence about a Postgres that did not start, from the end of its log. */
export function startFailure(clusterDir: string, log: readonly string[]): StoreSetupError {
  const fatal = log.findLast((line) => /\b(PANIC|FATAL):/.test(line)) ?? log.at(-1) ?? 'no output';
  const reason = fatal.replace(/^.*\b(PANIC|FATAL):\s*/, '');
  if (/postmaster\.pid" already exists|pre-existing shared memory/.test(reason)) {
    return new StoreSetupError(
      `Another Postgres still uses ${clusterDir} (${reason}): end its processes and start again.`,
    );
  }
  if (/shared memory|semaphore|Cannot allocate|No space left|out of memory/i.test(reason)) {
    return new StoreSetupError(`Postgres could not start (${reason}): free some of it and try again.`);
  }
  return damagedCluster(clusterDir, reason);
}

export function damagedCluster(clusterDir: string, reason: string): StoreSetupError {
  return new StoreSetupError(
    `The Postgres data folder ${clusterDir} is damaged (${reason}): restore it from a backup, or move it away to start with an empty database.`,
  );
}
