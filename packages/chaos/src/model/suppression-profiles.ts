import { LATER, LATER_OFTEN } from './later-profiles.ts';
import { profile, type Profile } from './profile.ts';
import { HEARD_BY_LAST_DRIVER, OPTED_OUT_AND_LISTED } from './suppression-openings.ts';

/** Numbers come and go on the lists, faster than calls to them end. */
const LISTED_OFTEN = {
  suppress: 20,
  unsuppress: 50,
  opt_out: 30,
  wait: 70,
} as const satisfies Partial<Profile['weights']>;

/** Worlds with do-not-call lists. */
export const SUPPRESSION_PROFILES = {
  /** Calls for now and for later, while workers die and stop, and Postgres is away. */
  suppressions: profile(
    'suppressions',
    { ...LATER, callees: 3, opening: OPTED_OUT_AND_LISTED },
    {
      ...LATER_OFTEN,
      ...LISTED_OFTEN,
      schedule: 40,
      create: 40,
      step: 260,
      kill: 6,
      stop: 8,
      abandon: 16,
      postgres_stop: 5,
      redis_flush: 0,
    },
  ),
  /** Numbers are listed between the claim of a call and each of its attempts at a trunk. */
  suppressed_trunks: profile(
    'suppressed_trunks',
    { channels: 2, callees: 2, accountCapacity: 3, balances: [600, 300], opening: HEARD_BY_LAST_DRIVER },
    { ...LISTED_OFTEN, take_job: 80, step: 260, drain: 20, kill: 6, abandon: 16 },
  ),
} as const satisfies Readonly<Record<string, Profile>>;
