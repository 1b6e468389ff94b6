import { formatDecimal } from '@outdial/contracts';
import type { DeckRate } from '../administration/rates.ts';
import { RATE_COLUMNS } from './rates-csv.ts';

/** The inverse of `parseRatesCsv`: its output can be edited and imported again. */
export function formatRatesCsv(rates: readonly DeckRate[]): string {
  const lines = rates.map((rate) =>
    [
      rate.prefix,
      rate.description,
      formatDecimal(rate.connectionFeeMicros),
      formatDecimal(rate.pricePerMinuteMicros),
      formatIncrements(rate),
    ]
      .map(formatCell)
      .join(','),
  );
  return `${[RATE_COLUMNS.join(','), ...lines].join('\n')}\n`;
}

/** In the usual notation: `60/60`, `30/6`, `1/1`. */
export function formatIncrements(rate: DeckRate): string {
  return `${rate.initialIncrementSeconds}/${rate.incrementSeconds}`;
}

function formatCell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
