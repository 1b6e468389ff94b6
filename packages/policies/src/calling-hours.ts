import type { CalleePlace } from './callee-place.ts';
import { alwaysOpen, type LocalHours } from './local-hours.ts';
import { judgedZones, settingsOf, type PoliciesInForce } from './policies-in-force.ts';
import { HOUR_MS } from './time-units.ts';
import { closesAt, opensAt, SEARCHED_MS, type CallingWindow } from './window-search.ts';
import { clockOf } from './zone-clock.ts';

const ALWAYS_OPEN: CallingWindow = Object.freeze({ kind: 'open', untilMs: null });
const NEVER_OPEN: CallingWindow = Object.freeze({ kind: 'closed', opensAtMs: null });

/** The hours of one place under the policies, with the answer that was found last. */
export class CallingHours {
  readonly hours: LocalHours;
  readonly #zones: readonly string[];
  readonly #always: CallingWindow | null;
  #found: FoundWindow | null = null;

  constructor(policies: PoliciesInForce, place: CalleePlace, hours: LocalHours) {
    this.hours = hours;
    this.#zones = judgedZones(policies, place);
    this.#always = this.#zones.length === 0 ? windowNowhere(policies) : windowAlways(hours);
  }

  windowAt(atMs: number): CallingWindow {
    if (this.#always) return this.#always;
    let found = this.#found;
    if (found === null || atMs < found.fromMs || atMs >= found.holdsUntilMs) {
      found = find(this.hours, this.#zones, atMs);
      this.#found = found;
    }
    if (found.changeMs !== null && found.changeMs - atMs <= SEARCHED_MS) return found.window;
    return found.window.kind === 'open' ? ALWAYS_OPEN : NEVER_OPEN;
  }
}

interface FoundWindow {
  readonly window: CallingWindow;
  readonly changeMs: number | null;
  readonly fromMs: number;
  readonly holdsUntilMs: number;
}

/** An hour more than an answer looks ahead: for so long it may be kept, and answers as a new search would. */
function find(hours: LocalHours, zones: readonly string[], fromMs: number): FoundWindow {
  const clocks = zones.map(clockOf);
  const lastMs = fromMs + SEARCHED_MS + HOUR_MS;
  const opensAtMs = opensAt(hours, clocks, fromMs, lastMs);
  const isOpen = opensAtMs === fromMs;
  const changeMs = isOpen ? closesAt(hours, clocks, fromMs, lastMs) : opensAtMs;
  const window: CallingWindow = isOpen ? { kind: 'open', untilMs: changeMs } : { kind: 'closed', opensAtMs };
  return { window: Object.freeze(window), changeMs, fromMs, holdsUntilMs: changeMs ?? fromMs + HOUR_MS };
}

/** A callee of no zone has an unknown local time: any rule about time closes. */
function windowNowhere(policies: PoliciesInForce): CallingWindow {
  const hasRule = settingsOf(policies).some(
    ({ windows, closed_days: closedDays }) => Object.keys(windows).length > 0 || closedDays.length > 0,
  );
  return hasRule ? NEVER_OPEN : ALWAYS_OPEN;
}

function windowAlways(hours: LocalHours): CallingWindow | null {
  const open = alwaysOpen(hours);
  if (open === null) return null;
  return open ? ALWAYS_OPEN : NEVER_OPEN;
}
