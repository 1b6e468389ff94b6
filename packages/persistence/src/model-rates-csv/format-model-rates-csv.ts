import type { ModelRate } from '@outdial/calls';
import { formatDecimal } from '@outdial/contracts';
import { stringify } from 'csv-stringify/sync';

/** The columns of a file of model rates, in any order, each exactly once. */
export const MODEL_RATE_CSV_COLUMNS = [
  'component',
  'provider',
  'model',
  'unit',
  'price_per_million',
  'estimate_per_minute',
] as const;
export type ModelRateCsvColumn = (typeof MODEL_RATE_CSV_COLUMNS)[number];

/** The inverse of `parseModelRatesCsv`: its output can be edited and imported again. */
export function formatModelRatesCsv(rates: readonly ModelRate[]): string {
  const rows = rates.map((rate) => [
    rate.component,
    rate.provider,
    rate.model,
    rate.unit,
    formatDecimal(rate.priceMicrosPerMillion),
    formatDecimal(rate.estimateMicrosPerMinute),
  ]);
  return stringify([[...MODEL_RATE_CSV_COLUMNS], ...rows]);
}
