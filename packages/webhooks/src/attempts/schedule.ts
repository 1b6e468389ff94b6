import type { SentEndpointKind } from '../ports/webhook-store.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Between an attempt that failed and the next one. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
const LONGEST_DELAY_MS = 24 * HOUR_MS;

/** How often a delivery is tried. `webhook_tries` in Postgres repeats the figures. */
export const TRIES: Readonly<Record<SentEndpointKind, number>> = { standing: DELAYS_MS.length + 1, per_call: 5 };

/** Deliveries that failed together must not be repeated together. */
const JITTER = 0.2;

/** @param tries that failed so far @param random from 0 to 1 */
export function delayAfter(tries: number, random: number): number {
  const delayMs = DELAYS_MS[Math.max(1, tries) - 1] ?? LONGEST_DELAY_MS;
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
}
