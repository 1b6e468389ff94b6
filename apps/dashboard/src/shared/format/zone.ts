/** The offset from UTC of the user's time zone at that moment: `+01:00`. */
function offsetAt(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

/** The user's time zone at that moment, for people: `Europe/Berlin, UTC+01:00`. */
export function zoneWords(date: Date): string {
  return `${new Intl.DateTimeFormat().resolvedOptions().timeZone}, UTC${offsetAt(date)}`;
}

/**
 * A local time of `<input type="datetime-local">` as RFC 3339 with its offset. Undefined for empty or incomplete input.
 * An hour that a change of clocks leaves out becomes the next one.
 */
export function toOffsetTime(text: string): string | undefined {
  const date = new Date(text);
  if (text === '' || Number.isNaN(date.getTime())) return undefined;
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day}T${time}${offsetAt(date)}`;
}

/** A moment as `<input type="datetime-local">` has it, in the user's time zone, to the minute. */
export function toLocalTime(iso: string): string {
  const date = new Date(iso);
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

const two = (value: number) => String(value).padStart(2, '0');
