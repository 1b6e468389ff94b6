import { createModelRateDeck, type ModelRate, type ModelRateDeck } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

export interface ModelRateRow extends Omit<ModelRate, 'priceMicrosPerMillion' | 'estimateMicrosPerMinute'> {
  readonly priceMicrosPerMillion: bigint;
  readonly estimateMicrosPerMinute: bigint;
}

/** The columns of a `ModelRateRow`. */
export const MODEL_RATE_COLUMNS = Prisma.sql`r.component, r.provider, r.model, r.unit,
  r.price_micros_per_million AS "priceMicrosPerMillion", r.estimate_micros_per_minute AS "estimateMicrosPerMinute"`;

export function toModelRate(row: ModelRateRow): ModelRate {
  return {
    component: row.component,
    provider: row.provider,
    model: row.model,
    unit: row.unit,
    priceMicrosPerMillion: micros(row.priceMicrosPerMillion),
    estimateMicrosPerMinute: micros(row.estimateMicrosPerMinute),
  };
}

/** 0 for a currency without a deck. */
export async function modelRateDeckVersion({ side }: Database, currency: string): Promise<number> {
  const [row] = await side.$queryRaw<{ version: number }[]>`
    SELECT version FROM model_rate_decks WHERE currency = ${currency}`;
  return row?.version ?? 0;
}

export async function readModelRateDeck({ side }: Database, currency: string): Promise<ModelRateDeck> {
  // With the version in every row: a separate read could return the version of another import.
  const rows = await side.$queryRaw<(ModelRateRow & { readonly version: number })[]>`
    SELECT ${MODEL_RATE_COLUMNS}, d.version
    FROM model_rates r JOIN model_rate_decks d ON d.currency = r.currency WHERE r.currency = ${currency}`;
  return createModelRateDeck({ currency, version: rows[0]?.version ?? 0, rates: rows.map(toModelRate) });
}
