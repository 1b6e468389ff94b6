const HALF_MONTH_MS = 15 * 86_400_000;
const YEAR_START_MS = Date.UTC(2026, 0, 1);

const known = new Map<string, string>();

/** The zone's offsets over a year: equal for two zones whose clocks agree. */
export function clockOf(zone: string): string {
  const clock = known.get(zone) ?? readClock(zone);
  known.set(zone, clock);
  return clock;
}

function readClock(zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return Array.from({ length: 25 }, (_, index) => offsetAt(format, YEAR_START_MS + index * HALF_MONTH_MS)).join();
}

function offsetAt(format: Intl.DateTimeFormat, atMs: number): string {
  return format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
