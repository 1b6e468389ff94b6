import { micros, parseDecimal, type Micros } from '@outdial/contracts';
import type { DeckRate } from '../administration/rates.ts';
import type { RateColumn } from './rates-csv.ts';

/** The maximum fee or price in the database: a million units. */
const MAX_PRICE_MICROS = micros(1_000_000_000_000);
const MAX_INCREMENT_SECONDS = 3_600;
const MAX_DESCRIPTION_LENGTH = 200;

export type ParsedRate =
  | { readonly ok: true; readonly rate: DeckRate }
  | { readonly ok: false; readonly problems: readonly RateProblem[] };

/** A problem with one cell, or with the whole line. */
export interface RateProblem {
  readonly column: RateColumn | null;
  readonly message: string;
}

type Field<Value> = { readonly value: Value } | { readonly column: RateColumn; readonly message: string };

/** Parses one line's fields as a rate, or returns all problems. */
export function parseRate(fields: Readonly<Record<RateColumn, string>>): ParsedRate {
  const prefix = parsePrefix(fields.prefix);
  const description = parseDescription(fields.description);
  const fee = parsePrice('connection_fee', fields.connection_fee);
  const price = parsePrice('price_per_minute', fields.price_per_minute);
  const increments = parseIncrements(fields.increments);
  if (
    'message' in prefix ||
    'message' in description ||
    'message' in fee ||
    'message' in price ||
    'message' in increments
  ) {
    const parts = [prefix, description, fee, price, increments];
    return { ok: false, problems: parts.flatMap((part) => ('message' in part ? [part] : [])) };
  }
  return {
    ok: true,
    rate: {
      prefix: prefix.value,
      description: description.value,
      connectionFeeMicros: fee.value,
      pricePerMinuteMicros: price.value,
      initialIncrementSeconds: increments.value.initial,
      incrementSeconds: increments.value.following,
    },
  };
}

function parsePrefix(text: string): Field<string> {
  if (/^[1-9]\d{0,14}$/.test(text)) return { value: text };
  return {
    column: 'prefix',
    message: `prefix ${quoted(text)} must be 1 to 15 digits, the first not 0, without a plus sign (1202)`,
  };
}

function parseDescription(text: string): Field<string> {
  if (text.length > MAX_DESCRIPTION_LENGTH) {
    return { column: 'description', message: `description must be at most ${MAX_DESCRIPTION_LENGTH} characters` };
  }
  // Control characters would break the line in an export, or the terminal that shows it.
  if (/\p{Cc}/u.test(text)) {
    return { column: 'description', message: 'description must not contain control characters' };
  }
  // The decoder's replacement for bytes that are not UTF-8.
  if (text.includes('\uFFFD')) return { column: 'description', message: 'description is not valid UTF-8' };
  return { value: text };
}

function parsePrice(column: RateColumn, text: string): Field<Micros> {
  const amount = parseDecimal(text);
  if (amount !== null && amount >= 0n && amount <= MAX_PRICE_MICROS) return { value: amount };
  return {
    column,
    message: `${column} ${quoted(text)} must be a decimal from 0 to 1000000 with at most six decimals (0.012)`,
  };
}

function parseIncrements(text: string): Field<{ readonly initial: number; readonly following: number }> {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const [initial, following] = [Number(match?.[1]), Number(match?.[2])];
  if (isIncrement(initial) && isIncrement(following)) return { value: { initial, following } };
  return {
    column: 'increments',
    message: `increments ${quoted(text)} must be two numbers of seconds from 1 to 3600, such as 60/60 or 30/6`,
  };
}

function isIncrement(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_INCREMENT_SECONDS;
}

/** As JSON, so that invisible characters show; truncated, so that one bad cell does not fill the screen. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
