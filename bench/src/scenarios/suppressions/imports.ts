import { randomInt } from 'node:crypto';
import { accountIdSchema } from '@outdial/contracts';
import { createDatabase, openOwnAccount } from '@outdial/persistence';
import type { Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import type { Lists } from '../../suppressions/entries.ts';

/** Numbers of one statement, as the API sends them. */
const CHUNK = 2_000;
const CHUNKS = 50;
const WARM_UP_CHUNKS = 5;
const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };
/** Beyond the numbers of the entries. */
const FIRST_NUMBER = 13_000_000_000;
const RANGE = 1_000_000_000;

/** How many numbers a second the statements of an import add to a list of so many, chunk after chunk, in any order. */
export async function measureImports({ many, entries }: Lists, account: BenchAccount): Promise<Figure> {
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: many.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  const accountId = accountIdSchema.parse(account.accountId);
  const { suppressions } = openOwnAccount(database, { accountId, actor: 'bench', bounds: BOUNDS });
  const importing = suppressions.beginImport({ source: 'import' });
  let added = 0;
  let tookMs = 0;
  try {
    for (let chunk = 0; chunk < WARM_UP_CHUNKS + CHUNKS; chunk += 1) {
      const numbers = Array.from({ length: CHUNK }, () => `+${FIRST_NUMBER + randomInt(RANGE)}`);
      const startedMs = performance.now();
      const outcome = await importing.add(numbers);
      if (outcome.kind !== 'added') throw new Error(`the chunk was not added: ${outcome.kind}`);
      if (chunk < WARM_UP_CHUNKS) continue;
      tookMs += performance.now() - startedMs;
      added += outcome.added;
    }
  } finally {
    await database.close();
  }
  return {
    name: `numbers of an import added/s, to lists of ${entries / 1_000_000} million`,
    value: (added * 1_000) / tookMs,
    unit: 'numbers/s',
    goal: { atLeast: 50_000 },
    absolute: { numbers: added, ms: tookMs, 'ms a chunk': tookMs / CHUNKS },
  };
}
