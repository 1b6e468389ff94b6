const FORMAT: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
};

/** ISO 8601 with the zone's offset, to the second: `2026-11-27T12:05:03-06:00`. */
export function localIsoTime(zone: string, atMs: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { ...FORMAT, timeZone: zone }).formatToParts(atMs);
  const {
    year,
    month,
    day,
    hour,
    minute,
    second,
    timeZoneName = '',
  } = Object.fromEntries(parts.map(({ type, value }): [string, string] => [type, value]));
  // `GMT-06:00`; `GMT` alone in Greenwich.
  const offset = timeZoneName.slice('GMT'.length) || '+00:00';
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}

/** `2026-11-27 12:05 -06:00`: for people. */
export function shownLocalTime(zone: string, atMs: number): string {
  return localIsoTime(zone, atMs).replace(/^(.*)T(\d\d:\d\d):\d\d(.*)$/, '$1 $2 $3');
}
