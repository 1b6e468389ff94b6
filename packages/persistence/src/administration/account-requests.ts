import { randomUUID } from 'node:crypto';
import { requestIdSchema, type AccountId, type RequestId } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { refusal } from './refusal.ts';

export interface AccountRequestRecord {
  readonly id: RequestId;
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly text: string;
  /** Null if the user was deleted. */
  readonly createdBy: string | null;
  readonly createdAtMs: number;
  readonly doneAtMs: number | null;
  /** An e-mail address, like `createdBy`. */
  readonly doneBy: string | null;
}

export interface RequestSearch {
  readonly isDone: boolean;
  /** The last request of the previous page. */
  readonly after?: RequestId | undefined;
  readonly limit: number;
}

export interface RequestPage {
  readonly requests: readonly AccountRequestRecord[];
  readonly hasMore: boolean;
  /** Of all accounts. */
  readonly openCount: number;
}

/** Requests of account owners to the operators. */
export interface RequestAdministration {
  /** Open requests: oldest first. Completed ones: latest first. */
  find(search: RequestSearch): Promise<RequestPage>;
  /** Repeating it keeps the first completion time. */
  setDone(requestId: RequestId): Promise<AccountRequestRecord>;
}

const REQUESTS = Prisma.sql`
  SELECT r.id, r.account_id AS "accountId", a.name AS "accountName", r.text, s.email AS "createdBy",
    epoch_ms(r.created_at) AS "createdAtMs", epoch_ms(r.done_at) AS "doneAtMs", d.email AS "doneBy"
  FROM account_requests r JOIN accounts a ON a.id = r.account_id
    LEFT JOIN users s ON s.id = r.created_by LEFT JOIN users d ON d.id = r.done_by`;

export function administerRequests({ database: { side }, actor }: AdministrationContext): RequestAdministration {
  return {
    async find({ isDone, after, limit }) {
      const last = Prisma.sql`SELECT l.created_at, l.id FROM account_requests l WHERE l.id = ${after ?? null}::uuid`;
      const page = isDone
        ? Prisma.sql`r.done_at IS NOT NULL AND (${after === undefined} OR (r.created_at, r.id) < (${last}))
            ORDER BY r.created_at DESC, r.id DESC`
        : Prisma.sql`r.done_at IS NULL AND (${after === undefined} OR (r.created_at, r.id) > (${last}))
            ORDER BY r.created_at, r.id`;
      const [rows, [open]] = await Promise.all([
        side.$queryRaw<AccountRequestRecord[]>`${REQUESTS} WHERE ${page} LIMIT ${limit + 1}::int`,
        side.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS count FROM account_requests WHERE done_at IS NULL`,
      ]);
      return { requests: rows.slice(0, limit), hasMore: rows.length > limit, openCount: open?.count ?? 0 };
    },
    async setDone(requestId) {
      await side.$executeRaw`
        WITH changed AS (
          UPDATE account_requests SET done_at = clock_timestamp(),
            done_by = (SELECT u.id FROM users u WHERE 'user:' || u.id = ${actor})
          WHERE id = ${requestId}::uuid AND done_at IS NULL RETURNING id
        ), ${auditPart(actor, { action: 'request.done', subjectId: requestId, data: {} })}
        SELECT count(*) FROM changed`;
      const [row] = await side.$queryRaw<AccountRequestRecord[]>`${REQUESTS} WHERE r.id = ${requestId}::uuid`;
      if (row) return row;
      throw refusal(
        'request_not_found',
        'request_id',
        `There is no request ${requestId}. List the requests to find its id.`,
      );
    },
  };
}

export interface NewRequest {
  readonly accountId: AccountId;
  readonly text: string;
  /** The maximum of open requests per account. */
  readonly maxOpen: number;
}

/** Null if the account has reached its maximum of open requests. */
export async function createRequest(
  { database: { side }, actor }: AdministrationContext,
  { accountId, text, maxOpen }: NewRequest,
): Promise<AccountRequestRecord | null> {
  const id = requestIdSchema.parse(randomUUID());
  const entry = { action: 'request.create', subjectId: id, data: { account_id: accountId } } as const;
  // A request that loses its slot to a concurrent one tries the next slot, at most `maxOpen` times.
  for (let attempt = 1; attempt <= maxOpen; attempt += 1) {
    await side.$executeRaw`
      WITH changed AS (
        INSERT INTO account_requests (id, account_id, text, slot, created_by)
        SELECT ${id}::uuid, ${accountId}::uuid, ${text}, free.slot,
          (SELECT u.id FROM users u WHERE 'user:' || u.id = ${actor})
        FROM generate_series(1, ${maxOpen}::int) AS free(slot)
        WHERE NOT EXISTS (
          SELECT FROM account_requests r
          WHERE r.account_id = ${accountId}::uuid AND r.slot = free.slot AND r.done_at IS NULL)
        ORDER BY free.slot LIMIT 1
        ON CONFLICT (account_id, slot) WHERE done_at IS NULL DO NOTHING
        RETURNING id
      ), ${auditPart(actor, entry)}
      SELECT count(*) FROM changed`;
    const [row] = await side.$queryRaw<AccountRequestRecord[]>`${REQUESTS} WHERE r.id = ${id}::uuid`;
    if (row) return row;
  }
  return null;
}

/** The account's requests: open ones first, then newest first. */
export async function listRequests(
  { database: { side } }: AdministrationContext,
  accountId: AccountId,
  limit: number,
): Promise<readonly AccountRequestRecord[]> {
  return side.$queryRaw<AccountRequestRecord[]>`
    ${REQUESTS} WHERE r.account_id = ${accountId}::uuid
    ORDER BY r.done_at IS NOT NULL, r.created_at DESC, r.id DESC LIMIT ${limit}::int`;
}
