import { formatDecimal, microsToDecimal, type Micros } from '@outdial/contracts';

/** ISO 8601, UTC, with milliseconds: for programs. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

/** `2026-11-20 14:26:03Z`: for people. The Z marks UTC, whatever the reader's time zone is. */
export function shownTime(ms: number | null): string {
  return ms === null ? '-' : `${isoTime(ms).slice(0, 19).replace('T', ' ')}Z`;
}

/** A decimal number of units: for programs. */
export const money = microsToDecimal;

/** `12.50 USD`: for people. */
export function shownMoney(amount: Micros, currency: string): string {
  return `${formatDecimal(amount)} ${currency}`;
}

export function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
