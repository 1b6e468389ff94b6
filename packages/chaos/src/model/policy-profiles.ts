import { LATER, LATER_OFTEN } from './later-profiles.ts';
import { CLOSED_AND_CAPPED, CLOSED_BEFORE_ATTEMPT, DIALED_LATE } from './policy-openings.ts';
import { profile, type Profile } from './profile.ts';

const ONCE_AN_HOUR = { hours: 1, max: 1 } as const;
const TWICE_AN_HOUR = { hours: 1, max: 2 } as const;
const CAPS: Profile['caps'] = [[], [TWICE_AN_HOUR], [], [{ hours: 2, max: 3 }, TWICE_AN_HOUR], [ONCE_AN_HOUR]];

const ALMOST_AN_HOUR_MS = 3_585_000;

/** Policies come and go, faster than calls under them end. */
const SAVED_OFTEN = {
  save_policy: 14,
  open_policies: 40,
  forget_zones: 4,
  wait: 60,
} as const satisfies Partial<Profile['weights']>;

/** Worlds with calling policies. */
export const POLICY_PROFILES = {
  /** Calls for now and for later, while workers die and stop, and Postgres is away. */
  policies: profile(
    'policies',
    {
      ...LATER,
      callees: 3,
      caps: CAPS,
      accountCapacity: 3,
      opening: CLOSED_AND_CAPPED,
      later: { ...LATER.later, patienceMs: [60_000, 240_000, 66 * 60_000] },
    },
    {
      ...LATER_OFTEN,
      ...SAVED_OFTEN,
      schedule: 70,
      create: 60,
      step: 260,
      kill: 5,
      stop: 6,
      abandon: 14,
      postgres_stop: 4,
      redis_flush: 0,
    },
  ),
  /** Policies are saved between the claim of a call and each of its attempts at a trunk. */
  policed_trunks: profile(
    'policed_trunks',
    { channels: 2, callees: 2, caps: CAPS, accountCapacity: 3, balances: [600, 300], opening: CLOSED_BEFORE_ATTEMPT },
    { ...SAVED_OFTEN, take_job: 80, step: 260, drain: 40, create: 60, kill: 6, abandon: 16 },
  ),
  /** Calls to one number wait for an hour, until its cap lets the next one through. */
  capped: profile(
    'capped',
    {
      ...LATER,
      caps: [[ONCE_AN_HOUR]],
      later: { ...LATER.later, patienceMs: [66 * 60_000] },
      opening: DIALED_LATE,
      waitsMs: [...LATER.waitsMs, ...LATER.waitsMs, ALMOST_AN_HOUR_MS],
      maxCommands: 60,
    },
    { ...LATER_OFTEN, kill: 3, redis_flush: 0 },
  ),
} as const satisfies Readonly<Record<string, Profile>>;
