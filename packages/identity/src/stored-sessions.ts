import type { Database } from '@outdial/persistence';

/** The digests out of these that belong to sessions. One statement, whatever their number. */
export async function findStoredSessions({ side }: Database, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await side.$queryRaw<{ readonly token: string }[]>`
    SELECT s.token FROM sessions s WHERE s.token = ANY(${digests}::text[])`;
  return new Set(rows.map(({ token }) => token));
}
