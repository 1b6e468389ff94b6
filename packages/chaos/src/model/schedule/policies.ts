import type { CallingPolicySettings } from '@outdial/contracts';
import { everyDay } from '@outdial/policies';
import type { ActionKind, Profile } from '../profile.ts';
import type { PolicyOwner } from '../world/policies.ts';
import type { When, World } from '../world/world.ts';
import { choose, rest, type Act } from './action.ts';

type Windows = CallingPolicySettings['windows'];

const MINUTE_MS = 60_000;
/** New York in January: its clock is that of one of the time zones of each telephone. */
const OFFSET_MS = -5 * 3_600_000;

const ALWAYS = everyDay('00:00-24:00');
const NEVER = everyDay();

/** Windows by the clock in New York; all are closed or closing for some telephone, or at some time. */
const WINDOWS: readonly ((nowMs: number) => Windows)[] = [
  () => ({ default: NEVER }),
  // Closes soon; in Chicago an hour later.
  (nowMs) => ({ default: everyDay(`00:00-${clockIn(nowMs + 2 * MINUTE_MS)}`) }),
  // Opens soon.
  (nowMs) => ({ default: everyDay(`${clockIn(nowMs + 2 * MINUTE_MS)}-24:00`) }),
  // Open in New York, and closed in Chicago.
  (nowMs) => ({ default: everyDay(`${clockIn(nowMs - 3 * MINUTE_MS)}-24:00`) }),
  // The other way around.
  (nowMs) => ({ default: everyDay(`00:00-${clockIn(nowMs)}`) }),
  () => ({ default: ALWAYS, 'US-TN': NEVER }),
  () => ({ default: NEVER, 'US-DC': ALWAYS, 'US-TN': ALWAYS }),
  () => ({}),
];

/** Calling policies are saved: by customers, and by operators for all. */
export const POLICY_ACTS = {
  /** One in eight closes the day. */
  async save_policy(world, pick) {
    const { clock, profile, policies } = world;
    const windows = choose(WINDOWS, rest(pick))?.(clock.nowMs) ?? {};
    const other = rest(rest(pick));
    await policies.save(choose(ownersOf(world), pick) ?? null, {
      pack: null,
      windows,
      closed_days: other % 8 === 7 ? [new Date(clock.nowMs + OFFSET_MS).toISOString().slice(0, 10)] : [],
      trust_given_zone: other % 2 === 1,
      caps: [...(choose(profile.caps ?? [], Math.floor(other / 2)) ?? [])],
    });
  },
  /** Everybody opens all hours, and the caps stay. The floor is removed, every other time. */
  async open_policies(world, pick) {
    const { clock, policies } = world;
    for (const owner of ownersOf(world)) {
      const settings = policies.inForce(owner, clock.nowMs);
      if (settings === null) continue;
      const isRemoved = owner === null && pick % 2 === 0;
      await policies.save(owner, isRemoved ? null : { ...settings, windows: {}, closed_days: [] });
    }
  },
  /** The previous version has accepted one of the calls that wait in the queue. */
  forget_zones: ({ policies }, pick) => policies.forgetZones(pick),
} satisfies Partial<Record<ActionKind, Act>>;

const ZONES = [undefined, undefined, 'America/New_York', 'America/Chicago'] as const;

/** Some requests say in which time zone the callee is. */
export function zoneAsked({ caps }: Pick<Profile, 'caps'>, pick: number): Pick<When, 'callee_time_zone'> {
  const zone = caps === null ? undefined : choose(ZONES, pick);
  return zone === undefined ? {} : { callee_time_zone: zone };
}

function ownersOf({ parties }: World): readonly PolicyOwner[] {
  return [...parties.map(({ accountId }) => accountId), null];
}

/** The world begins in the evening of New York, and ends before its midnight. */
function clockIn(atMs: number): string {
  return new Date(atMs + OFFSET_MS).toISOString().slice(11, 16);
}
