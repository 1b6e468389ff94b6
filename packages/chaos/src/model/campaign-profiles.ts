import { BOUNDED, CONTACT_FORGOTTEN, OVER, PAUSED } from './campaign-openings.ts';
import { HELD, HELD_BEFORE_ATTEMPT } from './held-openings.ts';
import { LATER, LATER_OFTEN } from './later-profiles.ts';
import { profile, REDIS_KEEPS_ALL, type Profile } from './profile.ts';

/** Few contacts, of which most are called again. */
const CAMPAIGNS: NonNullable<Profile['campaigns']> = {
  count: 6,
  contacts: [1, 3, 4],
  maxAttempts: [2, 1, 3],
  callsPerSecond: [null],
  maxConcurrent: [null],
  budgetMicros: [null],
  startsInMs: [null, null, null, 5_000],
  endsInMs: [null, null, null, 40_000, 150_000],
  hasHours: false,
  percents: [75, 50],
};

const WORLD = { ...LATER, accountCapacity: 4, systemCapacity: 6, campaigns: CAMPAIGNS } as const;

const OFTEN = {
  ...LATER_OFTEN,
  schedule: 12,
  create: 6,
  start_campaign: 16,
  steer_campaign: 10,
  add_contacts: 6,
  upload: 16,
  change_campaign: 3,
  sweep: 40,
  top_up: 8,
} as const satisfies Partial<Profile['weights']>;

const HELD_OFTEN = {
  ...OFTEN,
  steer_campaign: 24,
  change_campaign: 20,
  upload: 4,
  kill: 4,
  stop: 4,
  abandon: 12,
  redis_flush: 0,
} as const satisfies Partial<Profile['weights']>;

/** Worlds with campaigns. */
export const CAMPAIGN_PROFILES = {
  /** Campaigns are stocked, paused, resumed and cancelled, while files arrive and workers die or stop in a turn. */
  campaigns: profile(
    'campaigns',
    { ...WORLD, opening: PAUSED },
    { ...OFTEN, kill: 5, stop: 6, abandon: 14, redis_flush: 0 },
  ),
  /** The same while stores are away, restart, and lose what Redis had. */
  campaigns_without_stores: profile(
    'campaigns_without_stores',
    { ...WORLD, opening: OVER },
    { ...OFTEN, redis_cut: 6, redis_flush: 4, postgres_stop: 5, rebuild: 30, duplicate: 16, stray: 20 },
  ),
  /** Campaigns are paused, cancelled, or closed by their hours while their calls are queued, or claimed and not yet dialed. */
  held_campaigns: profile(
    'held_campaigns',
    { ...WORLD, opening: HELD, campaigns: { ...CAMPAIGNS, hasHours: true } },
    HELD_OFTEN,
  ),
  /** The same between the claim of a call and each of its attempts at a trunk. */
  held_trunks: profile(
    'held_trunks',
    { ...WORLD, channels: 2, opening: HELD_BEFORE_ATTEMPT, campaigns: { ...CAMPAIGNS, hasHours: true } },
    HELD_OFTEN,
  ),
  /** Two campaigns beside each other and beside single calls, bounded in each way. */
  campaign_limits: profile(
    'campaign_limits',
    {
      ...WORLD,
      balances: [420, 900],
      accountCapacity: 6,
      systemCapacity: 8,
      opening: BOUNDED,
      campaigns: {
        ...CAMPAIGNS,
        contacts: [1, 3, 5],
        callsPerSecond: [null, 0.5, 2],
        maxConcurrent: [null, 1, 2],
        budgetMicros: [null, null, 150],
        endsInMs: [null],
        percents: [75, 75],
      },
    },
    { ...OFTEN, steer_campaign: 4, change_campaign: 8, kill: 4, stop: 6, abandon: 14, redis_flush: 0 },
  ),
  /** Commits are lost: a contact is stocked again, and gets the same call. */
  lossy_campaigns: profile(
    'lossy_campaigns',
    { ...WORLD, losesCommits: true, opening: CONTACT_FORGOTTEN },
    { ...OFTEN, ...REDIS_KEEPS_ALL, postgres_replicate: 12, postgres_lose: 8, reconcile: 24, rebuild: 40 },
  ),
} as const satisfies Readonly<Record<string, Profile>>;
