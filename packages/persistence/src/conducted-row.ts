import type { CallAnalysis, ConductedCall, PinnedModel, PinnedRate, TurnMetrics } from '@outdial/calls';
import { micros, type AnalysisStatus, type UsageEntry } from '@outdial/contracts';
import { Prisma } from './generated/client.ts';
import { LEGS, type LegRow } from './legs-column.ts';

type StoredRate = Omit<PinnedRate, 'priceMicrosPerMillion'> & { readonly priceMicrosPerMillion: number };

/** A row of `model_calls` as JSON. Amounts are far below 2^53. */
export interface ConductedRow {
  readonly driver: ConductedCall['driver'];
  readonly models: readonly PinnedModel[];
  readonly rates: readonly StoredRate[];
  readonly estimate_micros_per_minute: number;
  readonly usage: readonly UsageEntry[];
  readonly analysis_status: AnalysisStatus;
  readonly analysis: StoredAnalysis | null;
  /** Null where the transcript is left out, too. */
  readonly turn_metrics: readonly TurnMetrics[] | null;
  /** Its second legs; null without any. Only conducted calls have them. */
  readonly legs: readonly LegRow[] | null;
}

/** As JSON. The amount stays below 2^53. */
interface StoredAnalysis extends Omit<CallAnalysis, 'costMicros' | 'usage'> {
  readonly costMicros: number;
  /** Missing where an earlier version wrote it. */
  readonly usage?: CallAnalysis['usage'];
}

/** One look-up for all that `model_calls` has: a page makes one for each of its calls. */
const conductedColumn = (analysis: Prisma.Sql, turnMetrics: Prisma.Sql) => Prisma.sql`(
    SELECT jsonb_build_object('driver', m.driver, 'models', m.needs, 'rates', m.rates,
      'estimate_micros_per_minute', m.estimate_micros_per_minute, 'usage', m.usage,
      'analysis_status', m.analysis_status, 'analysis', ${analysis}, 'turn_metrics', ${turnMetrics},
      'legs', ${LEGS})
    FROM model_calls m WHERE m.call_id = c.id) AS conducted`;

/** The row of `model_calls` of a call `c`, without the result of its analysis and its delays; null for a scripted call. */
export const CONDUCTED_COLUMN = conductedColumn(Prisma.sql`NULL`, Prisma.sql`NULL`);
export const CONDUCTED_COLUMN_WITH_ANALYSIS = conductedColumn(Prisma.sql`m.analysis`, Prisma.sql`m.turn_metrics`);

export function toConducted(row: ConductedRow | null): ConductedCall | null {
  if (row === null) return null;
  return {
    driver: row.driver,
    models: row.models,
    rates: row.rates.map((rate) => ({ ...rate, priceMicrosPerMillion: micros(rate.priceMicrosPerMillion) })),
    estimateMicrosPerMinute: micros(row.estimate_micros_per_minute),
  };
}

/** What `accept_calls` reads. */
export function toStoredConducted(
  conducted: ConductedCall,
): Omit<ConductedRow, 'usage' | 'analysis_status' | 'analysis' | 'turn_metrics' | 'legs'> {
  return {
    driver: conducted.driver,
    models: conducted.models,
    rates: conducted.rates.map((rate) => ({ ...rate, priceMicrosPerMillion: Number(rate.priceMicrosPerMillion) })),
    estimate_micros_per_minute: Number(conducted.estimateMicrosPerMinute),
  };
}

export function toAnalysis({ analysis }: Pick<ConductedRow, 'analysis'>): CallAnalysis | null {
  return analysis && { ...analysis, usage: analysis.usage ?? [], costMicros: micros(analysis.costMicros) };
}
