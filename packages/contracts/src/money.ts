import { z } from 'zod';

/** An amount in millionths of a currency unit. Never a float inside the product. */
export type Micros = bigint & z.$brand<'Micros'>;

const MICROS_PER_UNIT = 1_000_000n;

/** The gate computes with Lua's doubles, which round beyond 2^53, so no amount may reach it. */
export const MAX_MICROS = 2n ** 53n - 1n;

function isMicros(value: bigint): value is Micros {
  return value >= -MAX_MICROS && value <= MAX_MICROS;
}

/** @throws RangeError beyond ±(2^53 − 1) micros. */
export function micros(value: bigint | number): Micros {
  const amount = BigInt(value);
  if (!isMicros(amount)) throw new RangeError(`${amount} micros is out of bounds`);
  return amount;
}

/** The JSON form: a decimal number of units with at most six decimals. Exact below 2^53 micros. */
export function microsToDecimal(amount: Micros): number {
  return Number(amount) / 1_000_000;
}

/** `12.5` → 12 500 000 micros. Text only: a float would bring its own rounding. Null if it is no such decimal. */
export function parseDecimal(text: string): Micros | null {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  const [, sign = '', units = '0', fraction = ''] = match;
  const amount = BigInt(units) * MICROS_PER_UNIT + BigInt(fraction.padEnd(6, '0'));
  return micros(sign === '-' ? -amount : amount);
}

/** The inverse of `parseDecimal`, always with at least two decimals: `12.50`. */
export function formatDecimal(amount: Micros): string {
  const absolute: bigint = amount < 0n ? 0n - amount : amount;
  const fraction = (absolute % MICROS_PER_UNIT)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${amount < 0n ? '-' : ''}${absolute / MICROS_PER_UNIT}.${fraction}`;
}

/** ISO 4217. */
export const currencySchema = z.string().regex(/^[A-Z]{3}$/, 'must be a three-letter currency code such as USD');
