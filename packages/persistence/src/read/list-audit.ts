import type { AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

export interface AuditRecord {
  /** Rises with time; the value of `before`. */
  readonly id: string;
  readonly atMs: number;
  /** As stored: `user:<id>`, `key:<id>`, a login name. */
  readonly actor: string;
  /** Name of the user or key; null for another actor, or one that was deleted. */
  readonly actorName: string | null;
  /** The actor is an operator who is not a member of the requested account. */
  readonly actorIsOperator: boolean;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Name of the user that the entry is about. */
  readonly subjectName: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  readonly subject?: string | undefined;
  /** The id of the last entry of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Users' changes of their own sign-in belong to no account; the accounts of the user see them. */
const OF_SIGN_IN = Prisma.sql`('user.sign_in', 'user.sign_in_failed', 'user.change_password', 'user.reset_password',
  'user.set_password', 'user.verify_email', 'user.set_operator', 'user.unset_operator')`;

function pageOf({ subject, before, limit }: AuditPage): Prisma.Sql {
  const ofSubject = subject === undefined ? Prisma.empty : Prisma.sql`AND e.subject_type = ${subject}`;
  const older = before === undefined ? Prisma.empty : Prisma.sql`AND e.id < ${before}::bigint`;
  return Prisma.sql`${ofSubject} ${older} ORDER BY e.id DESC LIMIT ${limit}::int`;
}

function named(entries: Prisma.Sql, accountId: AccountId | null, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT e.id::text AS id, epoch_ms(e.at) AS "atMs", e.actor, e.action, e.subject_type AS "subjectType",
      e.subject_id AS "subjectId", e.data, COALESCE(u.name, k.name) AS "actorName", s.name AS "subjectName",
      COALESCE(u.is_operator, false) AND NOT EXISTS (
        SELECT FROM memberships m WHERE m.user_id = u.id AND m.account_id = ${accountId}::uuid) AS "actorIsOperator"
    FROM (${entries}) e
    LEFT JOIN users u ON e.actor = 'user:' || u.id::text
    LEFT JOIN api_keys k ON e.actor = 'key:' || k.id::text
    LEFT JOIN users s ON e.subject_type IN ('user', 'member') AND e.subject_id = s.id::text
    ORDER BY e.id DESC LIMIT ${limit}::int`;
}

type AuditRow = Omit<AuditRecord, 'actorName'> & { readonly actorName: string | null };

/** An account's entries, and its members' changes of their sign-ins since they joined. Newest first. */
export async function listAccountAudit(
  { side }: Pick<Database, 'side'>,
  accountId: AccountId,
  page: AuditPage,
): Promise<readonly AuditRecord[]> {
  const entries = Prisma.sql`
    (SELECT e.* FROM audit_entries e
     WHERE audit_account(e.subject_type, e.subject_id, e.data) = ${accountId}::text ${pageOf(page)})
    UNION ALL
    (SELECT own.* FROM memberships m CROSS JOIN LATERAL (
       SELECT e.* FROM audit_entries e
       WHERE e.subject_type = 'user' AND e.subject_id = m.user_id::text AND e.at >= m.created_at
         AND e.action IN ${OF_SIGN_IN} ${pageOf(page)}
     ) own WHERE m.account_id = ${accountId}::uuid)`;
  return side.$queryRaw<AuditRow[]>(named(entries, accountId, page.limit));
}

/** All entries of the installation, or those of one account. Newest first. */
export async function listAudit(
  database: Pick<Database, 'side'>,
  { accountId, ...page }: AuditPage & { readonly accountId?: AccountId | undefined },
): Promise<readonly AuditRecord[]> {
  if (accountId !== undefined) return listAccountAudit(database, accountId, page);
  const entries = Prisma.sql`SELECT e.* FROM audit_entries e WHERE true ${pageOf(page)}`;
  return database.side.$queryRaw<AuditRow[]>(named(entries, null, page.limit));
}
