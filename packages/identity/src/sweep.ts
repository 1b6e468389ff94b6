import { Prisma, type Database } from '@outdial/persistence';

/** What lets somebody in for a time, and how it is told that the time is over. */
const EXPIRING = {
  sessions: { table: Prisma.sql`sessions`, isOver: Prisma.sql`expires_at <= timezone('utc', now())` },
  verifications: { table: Prisma.sql`verifications`, isOver: Prisma.sql`expires_at <= timezone('utc', now())` },
  emailVerifications: { table: Prisma.sql`email_verifications`, isOver: Prisma.sql`expires_at <= now()` },
  invitations: { table: Prisma.sql`invitations`, isOver: Prisma.sql`accepted_at IS NULL AND expires_at <= now()` },
} as const;

export type Expiring = keyof typeof EXPIRING;
const KINDS = ['sessions', 'verifications', 'emailVerifications', 'invitations'] as const satisfies readonly Expiring[];

/** Little enough that a statement is over in milliseconds, and that nobody who signs in waits for it. */
const MAX_BATCH = 1_000;

/**
 * Deletes what nobody can be let in by any more: sessions, and links to reset a password or to verify an address, that have expired, and
 * invitations that nobody accepted in time. Nothing else would, and the tables grew with every sign-in. Any number of
 * processes may do it at once: none waits for another.
 * @returns how many of each were deleted.
 */
export async function sweepExpired(
  { side }: Pick<Database, 'side'>,
  { stopping, maxBatch = MAX_BATCH }: { readonly stopping: AbortSignal; readonly maxBatch?: number },
): Promise<Readonly<Record<Expiring, number>>> {
  const deleted = { sessions: 0, verifications: 0, emailVerifications: 0, invitations: 0 };
  for (const kind of KINDS) {
    let inBatch = maxBatch;
    while (inBatch === maxBatch && !stopping.aborted) {
      inBatch = await side.$executeRaw(deleteExpired(kind, maxBatch));
      deleted[kind] += inBatch;
    }
  }
  return deleted;
}

/** One that is put off at this moment is looked at again once it is locked, and stays. */
export function deleteExpired(kind: Expiring, limit: number): Prisma.Sql {
  const { table, isOver } = EXPIRING[kind];
  return Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT id FROM ${table} WHERE ${isOver} ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    DELETE FROM ${table} t USING due d WHERE t.id = d.id`;
}
