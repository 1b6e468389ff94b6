const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Between an attempt that failed and the next one. Dense at first: a user waits for a link of an hour. */
const DELAYS_MS = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  20 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
] as const;

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** E-mails that failed together must not be repeated together. */
const JITTER = 0.2;

/** Null: it is not sent again. @param attempts that failed so far @param random from 0 to 1 */
export function delayAfter(attempts: number, random: number): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
}
