import type { Database } from '../database.ts';
import { linesOfTry } from '../lines/line-directory.ts';
import { beginTry } from './begin-try.ts';
import { claimTry } from './claim-try.ts';
import { finishTry } from './finish-try.ts';
import { findTry } from './find-try.ts';
import { overdueTries, renewTry, writeLines } from './lease-try.ts';
import type { TryStore } from './try-store.ts';

export function createTryStore({ side }: Pick<Database, 'side'>): TryStore {
  const database = { side };
  return {
    begin: (input) => beginTry(database, input),
    find: (input) => findTry(database, input),
    claim: (input) => claimTry(database, input),
    linesOf: (tryId) => linesOfTry(database, tryId),
    writeLines: (input) => writeLines(database, input),
    renew: (input) => renewTry(database, input),
    finish: (input) => finishTry(database, input),
    overdue: (input) => overdueTries(database, input),
  };
}
