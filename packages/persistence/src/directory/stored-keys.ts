import type { Database } from '../database.ts';

/** Which of these digests, in hexadecimal, are of keys that were ever created. One statement, whatever their number. */
export async function findStoredKeys({ side }: Database, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await side.$queryRaw<{ readonly digest: string }[]>`
    SELECT encode(k.digest, 'hex') AS digest FROM unnest(${digests}::text[]) asked(digest)
    JOIN api_keys k ON k.digest = decode(asked.digest, 'hex')`;
  return new Set(rows.map(({ digest }) => digest));
}
