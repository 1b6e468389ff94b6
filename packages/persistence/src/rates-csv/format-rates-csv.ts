import { formatDecimal } from '@outdial/contracts';
import { stringify } from 'csv-stringify/sync';
import type { DeckRate } from '../administration/rates.ts';
import { RATE_COLUMNS } from './rates-csv.ts';

/** The inverse of `parseRatesCsv`: its output can be edited and imported again. */
export function formatRatesCsv(rates: readonly DeckRate[]): string {
  const rows = rates.map((rate) => [
    rate.prefix,
    rate.description,
    formatDecimal(rate.connectionFeeMicros),
    formatDecimal(rate.pricePerMinuteMicros),
    formatIncrements(rate),
  ]);
  // A semicolon is quoted too: many European spreadsheets would split the field there.
  return stringify([[...RATE_COLUMNS], ...rows], { quoted_match: ';' });
}

/** In the usual notation: `60/60`, `30/6`, `1/1`. */
export function formatIncrements(rate: DeckRate): string {
  return `${rate.initialIncrementSeconds}/${rate.incrementSeconds}`;
}
