import type { CallLeg } from '@outdial/calls';
import { micros, TRANSFER_LEG_RESULTS, type CallId, type E164 } from '@outdial/contracts';
import { Prisma } from './generated/client.ts';

/** A second leg as JSON. Amounts are far below 2^53. */
export interface LegRow {
  readonly id: CallId;
  readonly destination: string;
  readonly number: E164;
  readonly prefix: string;
  readonly fee: number;
  readonly price: number;
  readonly initialIncrement: number;
  readonly increment: number;
  readonly startedAtMs: number;
  readonly answeredAtMs: number | null;
  readonly connectedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly outcome: string | null;
  readonly sipCode: number | null;
  readonly billableSeconds: number;
  readonly cost: number;
}

/** The second legs of the call of a row `m` of `model_calls`; null without any. */
export const LEGS = Prisma.sql`(
    SELECT jsonb_agg(jsonb_build_object('id', t.id, 'destination', t.destination, 'number', t.callee_number,
      'prefix', t.rate_prefix, 'fee', t.connection_fee_micros, 'price', t.price_per_minute_micros,
      'initialIncrement', t.initial_increment_seconds, 'increment', t.increment_seconds,
      'startedAtMs', epoch_ms(t.begun_at), 'answeredAtMs', epoch_ms(t.answered_at),
      'connectedAtMs', epoch_ms(t.connected_at), 'endedAtMs', epoch_ms(t.ended_at), 'outcome', t.outcome,
      'sipCode', t.sip_code, 'billableSeconds', t.billable_seconds, 'cost', t.cost_micros) ORDER BY t.begun_at, t.id)
    FROM transfer_legs t WHERE t.call_id = m.call_id)`;

export function toLegs(rows: readonly LegRow[]): readonly CallLeg[] {
  return rows.map((row) => ({
    legId: row.id,
    destination: row.destination,
    calleeNumber: row.number,
    rate: {
      prefix: row.prefix,
      connectionFeeMicros: micros(row.fee),
      pricePerMinuteMicros: micros(row.price),
      initialIncrementSeconds: row.initialIncrement,
      incrementSeconds: row.increment,
    },
    startedAtMs: row.startedAtMs,
    answeredAtMs: row.answeredAtMs,
    connectedAtMs: row.connectedAtMs,
    endedAtMs: row.endedAtMs,
    // A later version, which runs next to this one during an upgrade, may know more.
    result: TRANSFER_LEG_RESULTS.find((result) => result === row.outcome) ?? (row.outcome === null ? null : 'lost'),
    sipCode: row.sipCode,
    billableSeconds: row.billableSeconds,
    costMicros: micros(row.cost),
  }));
}
