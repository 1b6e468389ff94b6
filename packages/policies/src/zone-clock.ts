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
 * The offsets of a zone, each read once. A day that begins and ends with the same offset has it throughout. On another,
 * the quarter hour of the change is searched for: clocks change on quarter hours of UTC, and once a day.
 */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #offsetsAtMidnight = new Map<number, number>();
  readonly #changes = new Map<number, number>();
  /** What was read last, since a search steps through the hours of a day. */
  #fromMs = Infinity;
  #untilMs = -Infinity;
  #offsetMs = 0;

  constructor(zone: string) {
    // The year makes the text short; a format of the offset alone adds the whole date.
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', timeZoneName: 'longOffset' });
  }

  offsetMsAt(atMs: number): number {
    if (atMs < this.#fromMs || atMs >= this.#untilMs) this.#moveTo(atMs);
    return this.#offsetMs;
  }

  /** The offset at that instant holds until then, or longer. */
  holdsUntilMs(atMs: number): number {
    if (atMs < this.#fromMs || atMs >= this.#untilMs) this.#moveTo(atMs);
    return this.#untilMs;
  }

  #moveTo(atMs: number): void {
    const day = Math.floor(atMs / DAY_MS);
    const [todayMs, tomorrowMs] = [day * DAY_MS, (day + 1) * DAY_MS];
    const [before, after] = [this.#offsetAtMidnight(day), this.#offsetAtMidnight(day + 1)];
    const changeMs = before === after ? tomorrowMs : this.#changeOn(day);
    const isBefore = atMs < changeMs;
    this.#fromMs = isBefore ? todayMs : changeMs;
    this.#untilMs = isBefore ? changeMs : tomorrowMs;
    this.#offsetMs = isBefore ? before : after;
  }

  #offsetAtMidnight(day: number): number {
    const known = this.#offsetsAtMidnight.get(day);
    return known ?? keep(this.#offsetsAtMidnight, day, this.#read(day * DAY_MS), DAYS_KEPT);
  }

  #changeOn(day: number): number {
    return this.#changes.get(day) ?? keep(this.#changes, day, this.#findChange(day), DAYS_KEPT);
  }

  #findChange(day: number): number {
    const before = this.#offsetAtMidnight(day);
    let low = 0;
    let high = DAY_MS / QUARTER_MS;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#read(day * DAY_MS + middle * QUARTER_MS) === before) low = middle;
      else high = middle;
    }
    return day * DAY_MS + high * QUARTER_MS;
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
