import { randomInt } from 'node:crypto';
import { query, type StageStores } from '../stage.ts';

/** Two databases that differ only in their do-not-call lists, each with its own gate. */
export interface Lists {
  readonly entries: number;
  readonly none: StageStores;
  readonly many: StageStores;
}

/** Entries have every second number from here on; the numbers between them are not suppressed. */
const FIRST_NUMBER = 12_000_000_000;

/** Half of them on the list of the account, half on that of the platform. Indexes are made afterwards, which is faster. */
export async function addEntries(
  databaseUrl: string,
  { accountId, count }: { readonly accountId: string; readonly count: number },
): Promise<void> {
  const indexes = await query<{ name: string; definition: string }>(
    databaseUrl,
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'suppressions' AND indexname <> 'suppressions_pkey'`,
  );
  for (const { name } of indexes) await query(databaseUrl, `DROP INDEX ${name}`);
  // The foreign key of each row, which is the same.
  await query(databaseUrl, 'ALTER TABLE suppressions DISABLE TRIGGER ALL');
  await query(
    databaseUrl,
    `INSERT INTO suppressions (id, account_id, number, kind, source, created_by, created_at)
     SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, CASE WHEN i % 2 = 0 THEN $1::uuid END,
       $3::bigint + 2 * i::bigint, 'manual', 'import', 'bench', now()
     FROM generate_series(0, $2::int - 1) AS i`,
    [accountId, count, FIRST_NUMBER],
  );
  await query(databaseUrl, 'ALTER TABLE suppressions ENABLE TRIGGER ALL');
  for (const { definition } of indexes) await query(databaseUrl, definition);
  await query(databaseUrl, 'VACUUM (ANALYZE) suppressions');
}

/** A number between those of `count` entries: its look-up reads a page that the last one did not. */
export const freeNumber = (count: number): string => `+${FIRST_NUMBER + 2 * randomInt(count) + 1}`;
