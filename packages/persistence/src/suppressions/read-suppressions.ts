import type { E164, SuppressionId, SuppressionKind } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { inForceOf, SUPPRESSION_COLUMNS, type ListOwner, type SuppressionRecord } from './suppression-record.ts';

/** The last entry of the previous page. */
export interface SuppressionCursor {
  readonly createdAtMs: number;
  readonly id: SuppressionId;
}

export interface SuppressionPageInput {
  readonly after: SuppressionCursor | null;
  readonly limit: number;
  readonly number?: E164 | undefined;
  readonly kind?: SuppressionKind | undefined;
}

export interface SuppressionPage {
  readonly suppressions: readonly SuppressionRecord[];
  readonly hasMore: boolean;
}

export interface SuppressionCheck {
  /** As asked. */
  readonly number: E164;
  /** Whose list the number is on; an account's own comes first. */
  readonly by: 'account' | 'platform' | null;
  /** The entry of the list that was asked. Of two, the opt-out: it stands. */
  readonly suppression: SuppressionRecord | null;
}

const KINDS: readonly SuppressionKind[] = ['manual', 'opt_out'];

/** Newest first. A page of one number reads that number's entries; any other one an index in its order, for each kind. */
export async function listSuppressions(
  { side }: Database,
  owner: ListOwner,
  input: SuppressionPageInput,
): Promise<SuppressionPage> {
  const { after, limit, number, kind } = input;
  const isOlder =
    after === null
      ? Prisma.empty
      : Prisma.sql`AND (s.created_at, s.id) < (from_epoch_ms(${after.createdAtMs}::bigint), ${after.id}::uuid)`;
  const isOfNumber = number === undefined ? Prisma.empty : Prisma.sql`AND s.number = substr(${number}, 2)::bigint`;
  const parts = (kind === undefined ? KINDS : [kind]).map(
    (of) => Prisma.sql`(
      SELECT s.* FROM suppressions s WHERE ${inForceOf(owner)} AND s.kind = ${of} ${isOfNumber} ${isOlder}
      ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit + 1}::int)`,
  );
  const rows = await side.$queryRaw<SuppressionRecord[]>`
    SELECT ${SUPPRESSION_COLUMNS} FROM (${Prisma.join(parts, ' UNION ALL ')}) s
    ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit + 1}::int`;
  return { suppressions: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** The entries of these numbers, by number. */
export function findSuppressions(
  { side }: Database,
  owner: ListOwner,
  numbers: readonly E164[],
): Promise<SuppressionRecord[]> {
  return side.$queryRaw<SuppressionRecord[]>`
    SELECT ${SUPPRESSION_COLUMNS} FROM suppressions s
    WHERE ${inForceOf(owner)} AND s.number IN (SELECT substr(n, 2)::bigint FROM unnest(${[...numbers]}::text[]) AS n)
    ORDER BY s.number, s.kind`;
}

/** One answer for each number, in order. */
export async function checkSuppressions(
  database: Database,
  owner: ListOwner,
  numbers: readonly E164[],
): Promise<readonly SuppressionCheck[]> {
  const own = await findSuppressions(database, owner, numbers);
  const ofPlatform = owner === null ? own : await findSuppressions(database, null, numbers);
  // Sorted by kind, so that an opt-out replaces a manual entry.
  const entries = new Map(own.map((entry) => [entry.number, entry]));
  const platform = new Set(ofPlatform.map(({ number }) => number));
  return numbers.map((number) => {
    const suppression = entries.get(number) ?? null;
    const isOwn = suppression !== null && owner !== null;
    const by = isOwn ? 'account' : platform.has(number) ? 'platform' : null;
    return { number, by, suppression };
  });
}
