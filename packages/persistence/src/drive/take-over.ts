import type { CallFacts, DriveStore, OrphanedCall } from '@outdial/calls';
import { parseTraceParent } from '@outdial/kernel';
import { ORPHANED_LEGS_COLUMN, toOrphanedLegs, type OrphanedLegRow } from '../transfers/orphaned-legs.ts';
import { FACT_COLUMNS, toFacts, type FactRow } from '../call-row.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { sqlStatusesIn } from '../sql/call-states.ts';
import { TURNS_COLUMN } from './keep-turns.ts';

export type TakeOverInput = Parameters<DriveStore['takeOver']>[0];

type OrphanRow = FactRow &
  Omit<OrphanedCall, keyof CallFacts | 'usage' | 'turns' | 'legs' | 'traceParent'> & {
    readonly traceParent: string | null;
    readonly turns: OrphanedCall['turns'] | null;
    readonly legs: readonly OrphanedLegRow[] | null;
  };

/**
 * Takes over calls whose driver is gone. Workers that do so concurrently skip each other's rows.
 *
 * A lease that expired while Postgres was down does not mean that its worker is gone, because the worker could not renew
 * it: no such call is taken until Postgres has been up for a lease. A call that was handed over is taken at once.
 */
export async function takeOverCalls({ hot }: Database, input: TakeOverInput): Promise<readonly OrphanedCall[]> {
  const lease = Prisma.sql`${input.leaseMs}::int * interval '1 millisecond'`;
  const only = input.callId === undefined ? Prisma.empty : Prisma.sql`AND c.id = ${input.callId}::uuid`;
  const rows = await hot.$queryRaw<OrphanRow[]>`
    WITH due AS MATERIALIZED (
      SELECT c.id FROM calls c
      WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL AND c.status IN ${sqlStatusesIn('driven')} AND c.lease_expires_at <= clock_timestamp() ${only}
        AND (c.lease_expires_at = c.lease_renewed_at OR pg_postmaster_start_time() < clock_timestamp() - ${lease})
      ORDER BY c.lease_expires_at LIMIT ${input.limit}::int
      FOR NO KEY UPDATE SKIP LOCKED
    ), timed AS MATERIALIZED (
      SELECT d.id, clock_timestamp() AS now FROM due d
    ), c AS (
      UPDATE calls o
      SET epoch = o.epoch + 1, worker_id = ${input.workerId}, lease_expires_at = t.now + ${lease},
          taken_over_at = COALESCE(o.taken_over_at, t.now)
      FROM timed t WHERE o.id = t.id
      RETURNING o.*
    ), events AS (
      INSERT INTO call_events (call_id, at, type) SELECT t.id, t.now, 'taken_over' FROM timed t ORDER BY t.id
    )
    SELECT ${FACT_COLUMNS}, c.reservation_id AS "reservationId", c.epoch, c.request_id AS "requestId", c.trace_parent AS "traceParent", c.carrier, c.dialog,
      c.records_ahead AS "writeAheadDial", epoch_ms(c.started_at) AS "startedAtMs", epoch_ms(c.answered_at) AS "answeredAtMs", c.answered_by AS "answeredBy",
      epoch_ms(c.lease_renewed_at) AS "leaseRenewedAtMs",
      epoch_ms(c.lease_expires_at - ${lease}) AS "takenOverAtMs", ${TURNS_COLUMN},
      ${ORPHANED_LEGS_COLUMN}
    FROM c ORDER BY c.lease_renewed_at`;
  return rows.map((row) => ({
    ...toFacts(row),
    reservationId: row.reservationId,
    epoch: row.epoch,
    requestId: row.requestId,
    traceParent: parseTraceParent(row.traceParent),
    carrier: row.carrier,
    dialog: row.dialog,
    writeAheadDial: row.writeAheadDial,
    startedAtMs: row.startedAtMs,
    answeredAtMs: row.answeredAtMs,
    answeredBy: row.answeredBy,
    usage: row.conducted?.usage ?? [],
    turns: row.turns ?? [],
    legs: toOrphanedLegs(row.legs),
    leaseRenewedAtMs: row.leaseRenewedAtMs,
    takenOverAtMs: row.takenOverAtMs,
  }));
}
