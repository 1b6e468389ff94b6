import { Prisma, type Database } from '@outdial/persistence';

export interface EmailBacklog {
  /** At most 10,000. */
  readonly pending: number;
  /** How late the oldest due e-mail is whose link still works. 0: none is due. */
  readonly oldestDueSeconds: number;
}

const COUNTED = 10_000;

const oldestDue = (isOf: Prisma.Sql) => Prisma.sql`(
  SELECT e.due_at FROM emails e WHERE e.state = 'pending' AND ${isOf} AND e.due_at <= clock_timestamp()
    AND e.expires_at > clock_timestamp() ORDER BY e.due_at LIMIT 1)`;

/** Each half has a partial index. The whole has none, and ended e-mails stay in the table. */
const countOf = (isOf: Prisma.Sql) => Prisma.sql`(
  SELECT count(*)::int FROM (
    SELECT FROM emails e WHERE e.state = 'pending' AND ${isOf} LIMIT ${COUNTED}::int) x)`;

export async function readEmailBacklog({ side }: Pick<Database, 'side'>): Promise<EmailBacklog> {
  const [row] = await side.$queryRaw<EmailBacklog[]>`
    SELECT LEAST(${COUNTED}::int,
        ${countOf(Prisma.sql`e.account_id IS NULL`)} + ${countOf(Prisma.sql`e.account_id IS NOT NULL`)}) AS pending,
      COALESCE(extract(epoch FROM clock_timestamp() - LEAST(
        ${oldestDue(Prisma.sql`e.account_id IS NULL`)}, ${oldestDue(Prisma.sql`e.account_id IS NOT NULL`)})), 0)::float8
        AS "oldestDueSeconds"`;
  return row ?? { pending: 0, oldestDueSeconds: 0 };
}
