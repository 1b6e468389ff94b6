import type { ChangeReader, ChangeReading } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { invariant, type Clock } from '@outdial/kernel';
import { CALL_SUMMARY_COLUMNS, toCall, type CallRow } from '../call-row.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { createCommitHorizon, type Snapshot } from './commit-horizon.ts';

interface ChangeRow extends CallRow {
  readonly eventId: bigint;
}

/** Without changes there is one row, which has only the snapshot. */
type Row = Snapshot & (ChangeRow | { readonly id: null });

/** Per read: a client that missed more should reload its list. */
const MAX_CHANGES = 2_000;

export interface ChangeInput {
  readonly accountIds: readonly AccountId[];
  readonly afterId: bigint | null;
}

/**
 * The events after the position are a range of the primary key, for all accounts; each call is then looked up once.
 * `age` counts the transactions since the snapshot's oldest one, and starts none itself.
 */
export function changesStatement({ accountIds, afterId }: ChangeInput): Prisma.Sql {
  return Prisma.sql`
    WITH snapshot AS MATERIALIZED (
      SELECT postgres_timeline() AS history, (SELECT COALESCE(max(e.id), 0) FROM call_events e) AS last_id,
        s.oldest::text::bigint AS oldest_xid, s.oldest::text::bigint + age(s.oldest::xid) AS next_xid
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS oldest) s
    ), grown AS MATERIALIZED (
      SELECT e.call_id, max(e.id) AS event_id FROM call_events e WHERE e.id > ${afterId}::bigint GROUP BY e.call_id
    ), changed AS (
      SELECT ${CALL_SUMMARY_COLUMNS}, g.event_id AS "eventId"
      FROM grown g JOIN calls c ON c.id = g.call_id
      WHERE c.account_id = ANY(${accountIds}::uuid[]) LIMIT ${MAX_CHANGES + 1}::int
    )
    SELECT s.history, s.last_id AS "lastId", s.oldest_xid AS "oldestXid", s.next_xid AS "nextXid", d.*
    FROM snapshot s LEFT JOIN changed d ON true`;
}

/** One per process, with sequential reads: it derives the horizon from one read to the next. */
export function createChangeReader({ side }: Database, { clock }: { readonly clock: Clock }): ChangeReader {
  const horizon = createCommitHorizon(clock);
  return {
    async read(input): Promise<ChangeReading> {
      const rows = await side.$queryRaw<Row[]>(changesStatement(input));
      const [first] = rows;
      invariant(first, 'there is always a snapshot');
      const changes = rows.flatMap((row) => (row.id === null ? [] : [{ call: toCall(row), eventId: row.eventId }]));
      return {
        history: first.history,
        lastId: first.lastId,
        commitHorizon: horizon.observe(first),
        changes: changes.length > MAX_CHANGES ? null : changes,
      };
    },
  };
}
