import { Prisma, type Database } from '@outdial/persistence';

/**
 * What grants access for a limited time, and the condition that it has expired. An e-mail that was sent stays for a while, so
 * that an operator can see what came of it; what it said is deleted by then.
 */
const EXPIRING = {
  sessions: { table: Prisma.sql`sessions`, isOver: Prisma.sql`expires_at <= timezone('utc', now())` },
  verifications: { table: Prisma.sql`verifications`, isOver: Prisma.sql`expires_at <= timezone('utc', now())` },
  emailVerifications: { table: Prisma.sql`email_verifications`, isOver: Prisma.sql`expires_at <= now()` },
  invitations: { table: Prisma.sql`invitations`, isOver: Prisma.sql`accepted_at IS NULL AND expires_at <= now()` },
  emails: { table: Prisma.sql`emails`, isOver: Prisma.sql`expires_at <= now() - interval '7 days'` },
} as const;

export type Expiring = keyof typeof EXPIRING;
const KINDS = [
  'sessions',
  'verifications',
  'emailVerifications',
  'invitations',
  'emails',
] as const satisfies readonly Expiring[];

/** Small enough that a statement takes milliseconds and does not delay sign-ins. */
const MAX_BATCH = 1_000;

/**
 * Deletes expired sessions, password-reset links, verification links, invitations that were not accepted in time, and e-mails.
 * Without it the tables grow with every sign-in. Any number of processes may run it at once; they do not wait for each
 * other.
 * @returns how many of each were deleted
 */
export async function sweepExpired(
  { side }: Pick<Database, 'side'>,
  { stopping, maxBatch = MAX_BATCH }: { readonly stopping: AbortSignal; readonly maxBatch?: number },
): Promise<Readonly<Record<Expiring, number>>> {
  const deleted = { sessions: 0, verifications: 0, emailVerifications: 0, invitations: 0, emails: 0 };
  for (const kind of KINDS) {
    let inBatch = maxBatch;
    while (inBatch === maxBatch && !stopping.aborted) {
      inBatch = await side.$executeRaw(deleteExpired(kind, maxBatch));
      deleted[kind] += inBatch;
    }
  }
  return deleted;
}

/** A row that is renewed at this moment is checked again once it is locked, and stays. */
export function deleteExpired(kind: Expiring, limit: number): Prisma.Sql {
  const { table, isOver } = EXPIRING[kind];
  return Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT id FROM ${table} WHERE ${isOver} ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    DELETE FROM ${table} t USING due d WHERE t.id = d.id`;
}
