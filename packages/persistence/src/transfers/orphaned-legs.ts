import type { OrphanedCall, OrphanedLeg } from '@outdial/calls';
import { micros, type CallId } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';

/** A second leg as JSON. Amounts are far below 2^53. */
export interface OrphanedLegRow extends Omit<OrphanedLeg, 'rate' | 'holdMicros' | 'legId' | 'limits'> {
  readonly id: CallId;
  readonly hold: number;
  readonly prefix: string;
  readonly fee: number;
  readonly price: number;
  readonly initialIncrement: number;
  readonly increment: number;
  readonly ringTimeoutSeconds: number;
  readonly maxDurationSeconds: number;
}

/** The second legs of a call `c` that are not settled: they are ended, and charged, with the call. */
export const ORPHANED_LEGS_COLUMN = Prisma.sql`(
        SELECT jsonb_agg(jsonb_build_object('id', t.id, 'prefix', t.rate_prefix, 'fee', t.connection_fee_micros,
          'price', t.price_per_minute_micros, 'initialIncrement', t.initial_increment_seconds,
          'increment', t.increment_seconds, 'hold', t.hold_micros, 'ringTimeoutSeconds', t.ring_timeout_seconds,
          'maxDurationSeconds', t.max_duration_seconds, 'carrier', t.carrier, 'dialog', t.dialog,
          'writeAheadDial', t.records_ahead, 'startedAtMs', epoch_ms(t.begun_at), 'answeredAtMs', epoch_ms(t.answered_at),
          'endedAtMs', epoch_ms(t.ended_at)) ORDER BY t.begun_at)
        FROM transfer_legs t WHERE t.call_id = c.id AND t.settled_at IS NULL) AS legs`;

export function toOrphanedLegs(rows: readonly OrphanedLegRow[] | null): OrphanedCall['legs'] {
  return (rows ?? []).map((row) => ({
    legId: row.id,
    rate: {
      prefix: row.prefix,
      connectionFeeMicros: micros(row.fee),
      pricePerMinuteMicros: micros(row.price),
      initialIncrementSeconds: row.initialIncrement,
      incrementSeconds: row.increment,
    },
    holdMicros: micros(row.hold),
    limits: { ringTimeoutSeconds: row.ringTimeoutSeconds, maxDurationSeconds: row.maxDurationSeconds },
    carrier: row.carrier,
    dialog: row.dialog,
    writeAheadDial: row.writeAheadDial,
    startedAtMs: row.startedAtMs,
    answeredAtMs: row.answeredAtMs,
    endedAtMs: row.endedAtMs,
  }));
}
