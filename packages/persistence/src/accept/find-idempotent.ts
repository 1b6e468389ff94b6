import { type IdempotencyQuestion, type StoredIdempotentCall } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { createBatcher, type Clock, type BatchResult, DeadlineExceeded } from '@outdial/kernel';
import { CALL_COLUMNS, toCall, type CallRow } from '../call-row.ts';
import type { Database } from '../database.ts';

interface IdempotentRow extends CallRow {
  readonly accountId: AccountId;
  readonly bodyDigest: string;
}

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
    return row && { call: toCall(row), bodyDigest: row.bodyDigest };
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
    SELECT ${CALL_COLUMNS}, encode(c.body_digest, 'hex') AS "bodyDigest"
    FROM unnest(${callIds}::uuid[], ${accountIds}::uuid[]) AS q(call_id, account_id)
      JOIN calls c ON c.id = q.call_id AND c.account_id = q.account_id
    WHERE c.body_digest IS NOT NULL`;
  return new Map(rows.map((row) => [keyOf({ accountId: row.accountId, callId: row.id }), row]));
}
