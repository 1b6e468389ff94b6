import { keep } from './keep.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-units.ts';

const QUARTER_MS = 15 * MINUTE_MS;
/** More than the 92 that a search needs. */
const DAYS_KEPT = 128;
/** All zones of a country fit several times. A formatter takes some 0.15 ms to make. */
const CLOCKS_KEPT = 256;

const clocks = new Map<string, ZoneClock>();

/** @throws RangeError for a name that the runtime does not know. */
export function clockOf(zone: string): ZoneClock {
  return clocks.get(zone) ?? keep(clocks, zone, new ZoneClock(zone), CLOCKS_KEPT);
}

/**
 * The offsets of a zone, each read once. A day that begins and ends with the same offset has it throughout; the others
 * are read by the quarter hour, since clocks change on quarter hours of UTC.
 */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #offsetsAtMidnight = new Map<number, number>();
  readonly #offsetsOfDay = new Map<number, readonly number[]>();

  constructor(zone: string) {
    // The year makes the text short; a format of the offset alone adds the whole date.
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', timeZoneName: 'longOffset' });
  }

  offsetMsAt(atMs: number): number {
    const day = Math.floor(atMs / DAY_MS);
    const offsetMs = this.#offsetAtMidnight(day);
    if (offsetMs === this.#offsetAtMidnight(day + 1)) return offsetMs;
    const offsets = this.#offsetsOfDay.get(day) ?? this.#readDay(day);
    return offsets[Math.floor((atMs - day * DAY_MS) / QUARTER_MS)] ?? offsetMs;
  }

  /** The offset at that instant holds until then, or longer. */
  holdsUntilMs(atMs: number): number {
    const day = Math.floor(atMs / DAY_MS);
    if (this.#offsetAtMidnight(day) === this.#offsetAtMidnight(day + 1)) return (day + 1) * DAY_MS;
    return (Math.floor(atMs / QUARTER_MS) + 1) * QUARTER_MS;
  }

  #offsetAtMidnight(day: number): number {
    const known = this.#offsetsAtMidnight.get(day);
    return known ?? keep(this.#offsetsAtMidnight, day, this.#read(day * DAY_MS), DAYS_KEPT);
  }

  #readDay(day: number): readonly number[] {
    const offsets = Array.from({ length: DAY_MS / QUARTER_MS }, (_, quarter) =>
      this.#read(day * DAY_MS + quarter * QUARTER_MS),
    );
    return keep(this.#offsetsOfDay, day, offsets, DAYS_KEPT);
  }

  #read(atMs: number): number {
    return offsetMsIn(this.#format.format(atMs));
  }
}

/** Of a text like `2026, GMT-05:00`. The offset of Greenwich is `GMT`; offsets before time zones have seconds. */
function offsetMsIn(text: string): number {
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text);
  if (!match) return 0;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const offsetMs = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000;
  return sign === '-' ? -offsetMs : offsetMs;
}
