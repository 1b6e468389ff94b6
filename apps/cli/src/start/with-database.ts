import { createDatabase, type Database } from '@outdial/persistence';

/** Long: no request waits for these queries, and a machine that starts everything at once is slow. */
const TIMEOUT_MS = 30_000;

/** Opens an instance's database for one piece of work. */
export async function withDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const timeouts = { queryTimeoutMs: TIMEOUT_MS, connectTimeoutMs: TIMEOUT_MS };
  const database = createDatabase({ url, poolSize: 1, readPoolSize: 2, ...timeouts });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
