import { type IdempotencyQuestion, type StoredIdempotentCall } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { createBatcher, type Clock, type BatchResult, DeadlineExceeded } from '@outdial/kernel';
import { CALL_COLUMNS, callColumns, toCall, type CallRow } from '../call-row.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

interface IdempotentRow extends CallRow {
  readonly accountId: AccountId;
  readonly bodyDigest: string;
  /** Its call is deleted, and the time of its key is over. */
  readonly isGone: boolean;
}

/** Columns of a deleted call `c`, whose key is `k`. Earlier versions kept no `conducted`. */
const OF_DELETED = callColumns(Prisma.sql`(k.call -> 'conducted')::jsonb AS conducted`);

/** As with writes: above this a statement gains nothing more, and a slow one delays too many requests. */
const MAX_KEYS = 128;

/**
 * One statement for all keys that arrived while the previous one was in flight: every keyed request needs a lookup, and
 * one statement each would leave accepts waiting for a connection. It batches like a group commit, but a read has no
 * row to reject, and retries with one key share a read.
 */
export function createFindIdempotent(database: Database, { clock }: { readonly clock: Clock }) {
  async function flush(
    questions: readonly IdempotencyQuestion[],
  ): Promise<readonly BatchResult<IdempotentRow | null>[]> {
    // During an outage lookups pile up whose clients have given up; sending them afterwards would delay the others.
    const nowMs = clock.monotonicMs();
    const due = new Map(
      questions.filter(({ sendByMs }) => sendByMs >= nowMs).map((question) => [keyOf(question), question]),
    );
    const found = due.size === 0 ? new Map<string, IdempotentRow>() : await read(database, [...due.values()]);
    return questions.map((question) => {
      const key = keyOf(question);
      return due.has(key) ? { ok: true, value: found.get(key) ?? null } : { ok: false, error: new DeadlineExceeded() };
    });
  }

  const reads = createBatcher({ flush, maxItems: MAX_KEYS, maxInFlight: 1 });

  return async function findIdempotent(question: IdempotencyQuestion): Promise<StoredIdempotentCall | null> {
    const row = await reads.submit(question);
    return row && { call: row.isGone ? null : toCall(row), bodyDigest: row.bodyDigest };
  };
}

function keyOf({ accountId, callId }: Pick<IdempotencyQuestion, 'accountId' | 'callId'>): string {
  return `${accountId} ${callId}`;
}

async function read(
  { hot }: Database,
  questions: readonly IdempotencyQuestion[],
): Promise<ReadonlyMap<string, IdempotentRow>> {
  const callIds = questions.map(({ callId }) => callId);
  const accountIds = questions.map(({ accountId }) => accountId);
  const rows = await hot.$queryRaw<IdempotentRow[]>`
    SELECT ${CALL_COLUMNS}, encode(c.body_digest, 'hex') AS "bodyDigest", false AS "isGone"
    FROM unnest(${callIds}::uuid[], ${accountIds}::uuid[]) AS q(call_id, account_id)
      JOIN calls c ON c.id = q.call_id AND c.account_id = q.account_id
    WHERE c.body_digest IS NOT NULL
    UNION ALL
    -- Of deleted calls. Later the ledger alone knows the id, and a second call under it could not be charged.
    SELECT ${OF_DELETED}, COALESCE(encode(k.body_digest, 'hex'), ''), k.call_id IS NULL
    FROM unnest(${callIds}::uuid[], ${accountIds}::uuid[]) AS q(call_id, account_id)
      LEFT JOIN LATERAL (SELECT x.call_id, x.body_digest, x.call FROM deleted_call_keys x
        WHERE x.call_id = q.call_id AND x.account_id = q.account_id AND x.expires_at > clock_timestamp() OFFSET 0) k ON true,
      LATERAL json_populate_record(NULL::calls,
        COALESCE(k.call, json_build_object('id', q.call_id, 'account_id', q.account_id))) c
    WHERE NOT EXISTS (SELECT FROM calls x WHERE x.id = q.call_id OFFSET 0)
      AND (k.call_id IS NOT NULL
        OR EXISTS (SELECT FROM ledger_entries e WHERE e.call_id = q.call_id AND e.account_id = q.account_id OFFSET 0))`;
  return new Map(rows.map((row) => [keyOf({ accountId: row.accountId, callId: row.id }), row]));
}
