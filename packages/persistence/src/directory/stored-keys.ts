import type { Database } from '../database.ts';

/** The hexadecimal digests out of these that belong to keys, revoked ones included. One statement, whatever their number. */
export async function findStoredKeys({ side }: Database, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await side.$queryRaw<{ readonly digest: string }[]>`
    SELECT encode(k.digest, 'hex') AS digest FROM unnest(${digests}::text[]) asked(digest)
    JOIN api_keys k ON k.digest = decode(asked.digest, 'hex')`;
  return new Set(rows.map(({ digest }) => digest));
}
