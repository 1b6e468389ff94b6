import { END_UNHEARD, RETRY_FORGOTTEN, TURN_OVER } from './later-openings.ts';
import { EVERYTHING, profile, REDIS_KEEPS_ALL, type Profile } from './profile.ts';

/** Calls for now and for the next minutes, some of them retried, of accounts that have few slots. */
export const LATER = {
  channels: null,
  balances: [900, 500],
  queueTtlSeconds: 60,
  maxDurationsSeconds: [60],
  later: { aheadMs: [0, 0, 3_000, 20_000, 60_000], patienceMs: [60_000, 120_000, 240_000], maxAttempts: [1, 2, 3] },
  waitsMs: [5, 20, 100, 100, 400, 1_000, 5_000, 11_000, 20_000, 61_000],
  maxCommands: 160,
} as const;

export const LATER_OFTEN = {
  schedule: 60,
  admit: 80,
  create: 8,
  take_job: 70,
  far_end: 60,
  drain: 120,
} as const satisfies Partial<Profile['weights']>;

/** Worlds in which calls are dialed later, and again. */
export const LATER_PROFILES = {
  /** Calls are scheduled and retried, while workers die and stop between taking a call and admitting it. */
  schedules: profile(
    'schedules',
    { ...LATER, kinds: EVERYTHING.kinds, opening: END_UNHEARD },
    {
      ...LATER_OFTEN,
      end: 12,
      kill: 6,
      stop: 8,
      abandon: 16,
      redis_flush: 0,
    },
  ),
  /** The same while stores are away, restart, and lose what Redis had. */
  schedules_without_stores: profile(
    'schedules_without_stores',
    { ...LATER, opening: TURN_OVER },
    {
      ...LATER_OFTEN,
      redis_cut: 8,
      redis_flush: 5,
      postgres_stop: 5,
      rebuild: 30,
      duplicate: 20,
      stray: 20,
    },
  ),
  /** Commits are lost: a retry is made again, and is the same call. */
  lossy_schedules: profile(
    'lossy_schedules',
    { ...LATER, losesCommits: true, opening: RETRY_FORGOTTEN },
    { ...LATER_OFTEN, ...REDIS_KEEPS_ALL, postgres_replicate: 12, postgres_lose: 8, reconcile: 24, rebuild: 40 },
  ),
} as const satisfies Readonly<Record<string, Profile>>;
