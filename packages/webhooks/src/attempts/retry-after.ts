const MS_PER_SECOND = 1_000;
const LONGEST_MS = 3_600 * MS_PER_SECOND;
/** RFC 9110 section 5.6.7: the form that servers send today. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The delay that a `Retry-After` asks for (RFC 9110 section 10.2.3), in milliseconds, at most an hour. Undefined for
 * anything else than seconds or a date.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * MS_PER_SECOND, LONGEST_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(0, atMs - nowMs), LONGEST_MS);
}
