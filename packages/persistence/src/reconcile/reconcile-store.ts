import type { GateToken, HoldStatus, ReconcileStore, SystemLimits } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { toRelease, type SettledRow } from '../drive/settle.ts';
import { sqlStatusesIn } from '../sql/call-states.ts';
import { limitsOf } from './limits.ts';
import { readSnapshot } from './snapshot.ts';

/** A hold that is not open. Without a call, there is none. */
type ClosedHoldRow = { readonly position: number } & (SettledRow | { readonly callId: null });

interface TokenRow {
  readonly generation: bigint;
  readonly timeline: string;
}

function toToken(row: TokenRow | undefined): GateToken {
  invariant(row, 'the gate has its row');
  return { generation: Number(row.generation), walTimeline: row.timeline };
}

/** Queries of the reconcile loop and the rebuild. None is part of a request. */
export function createReconcileStore(database: Database): ReconcileStore {
  const { side } = database;
  return {
    holdStatuses: (holds) => holdStatuses(database, holds),
    limitsOf: (accountIds) => limitsOf(database, accountIds),
    async systemLimits(): Promise<SystemLimits> {
      const [row] = await side.$queryRaw<{ capacity: number; capacityVersion: bigint }[]>`
        SELECT capacity, capacity_version AS "capacityVersion" FROM system_settings`;
      invariant(row, 'system_settings has its row');
      return { capacity: row.capacity, capacityVersion: Number(row.capacityVersion) };
    },
    async queuedCalls({ olderThanMs, limit }) {
      return side.$queryRaw<{ callId: CallId; expired: boolean }[]>`
        SELECT c.id AS "callId", c.expires_at <= clock_timestamp() AS expired
        FROM calls c
        WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL AND c.status IN ${sqlStatusesIn('waiting')}
          AND COALESCE(c.queued_at, c.created_at) <= clock_timestamp() - ${olderThanMs}::int * interval '1 millisecond'
        ORDER BY COALESCE(c.queued_at, c.created_at), c.id LIMIT ${limit}::int`;
    },
    async currentToken() {
      const [row] = await side.$queryRaw<TokenRow[]>`SELECT generation, postgres_timeline() AS timeline FROM gate`;
      return toToken(row);
    },
    async nextGeneration() {
      const [row] = await side.$queryRaw<TokenRow[]>`SELECT generation, timeline FROM next_gate_generation()`;
      return toToken(row);
    },
    snapshot: (token) => readSnapshot(database, token),
  };
}

/**
 * Only holds that are not open come as rows: the walks ask for each hold of the gate, nearly all are open, and what rows leave
 * behind is not collected until the process is large.
 */
async function holdStatuses(
  { side }: Database,
  holds: Parameters<ReconcileStore['holdStatuses']>[0],
): Promise<readonly HoldStatus[]> {
  const batch = JSON.stringify(
    holds.map(({ callId, reservationId }, position) => ({ position, id: callId, reservation_id: reservationId })),
  );
  const rows = await side.$queryRaw<ClosedHoldRow[]>`
    WITH asked AS MATERIALIZED (
      SELECT i.position, i.id, i.reservation_id
      FROM jsonb_to_recordset(${batch}::jsonb) AS i(position int, id uuid, reservation_id uuid)
    ), found AS (
      SELECT i.position, c.id, c.account_id, c.ended_at IS NULL AND c.reservation_id = i.reservation_id AS is_open
      FROM asked i JOIN calls c ON c.id = i.id
        -- Its own hold, or that of the charge for its analysis, which is taken from then on.
        AND (c.reservation_id = i.reservation_id
             OR EXISTS (SELECT FROM model_calls m WHERE m.call_id = c.id AND m.analysis_reservation_id = i.reservation_id))
      UNION ALL
      SELECT i.position, t.id, t.account_id, t.ended_at IS NULL
      FROM asked i JOIN agent_tries t ON t.id = i.id AND t.reservation_id = i.reservation_id
      UNION ALL
      SELECT i.position, t.id, c.account_id, t.settled_at IS NULL
      FROM asked i JOIN transfer_legs t ON t.id = i.id AND t.reservation_id = i.reservation_id
        JOIN calls c ON c.id = t.call_id
    )
    SELECT i.position, f.id AS "callId", f.account_id AS "accountId", i.reservation_id AS "reservationId",
      w.balance_micros AS "balanceMicros", w.version AS "balanceVersion"
    FROM asked i LEFT JOIN found f ON f.position = i.position LEFT JOIN wallets w ON w.account_id = f.account_id
    WHERE f.is_open IS NOT TRUE`;
  const closed = new Map(rows.map((row) => [row.position, row]));
  return holds.map((_, position) => {
    const row = closed.get(position);
    if (!row) return { kind: 'open' };
    return row.callId === null ? { kind: 'unknown' } : { kind: 'ended', release: toRelease(row) };
  });
}
