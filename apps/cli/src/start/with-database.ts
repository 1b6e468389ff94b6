import { createDatabase, type Database } from '@outdial/persistence';

/** Nobody waits for an answer by a deadline here, and a machine that starts everything at once is slow. */
const TIMEOUT_MS = 30_000;

/** Works with the database of an instance for a moment. */
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
