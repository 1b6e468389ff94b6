import { CAMPAIGN_PROFILES } from './campaign-profiles.ts';
import { LATER_PROFILES } from './later-profiles.ts';
import {
  EXPIRED,
  GROWING,
  HUNG_UP,
  LAST_SECONDS,
  LINE_OF_BEFORE,
  MIXED_BATCH,
  MORE_THAN_HALF,
  TALKING,
  TOLD_TWICE,
} from './openings.ts';
import { POLICY_PROFILES } from './policy-profiles.ts';
import { TRANSFER_PROFILES } from './transfer-profiles.ts';
import { SUPPRESSION_PROFILES } from './suppression-profiles.ts';
import { EVERYTHING, profile, REDIS_KEEPS_ALL, type Profile } from './profile.ts';

const SPACIOUS = { channels: null, balances: [600, 600], accountCapacity: 6, systemCapacity: 9 } as const;

/** Nothing crashes: what a profile adds then happens more often. */
const NO_FAULTS = {
  abandon: 0,
  stop: 0,
  kill: 0,
  redis_cut: 0,
  ...REDIS_KEEPS_ALL,
  postgres_stop: 0,
  postgres_failover: 0,
} as const satisfies Partial<Profile['weights']>;

const SHARED_LINES = [
  { maxCalls: 2, owner: 'operator' },
  { maxCalls: 1, owner: 'operator' },
  { maxCalls: 2, owner: 'own' },
] as const;

const SHARING_KINDS = [
  { driver: 'cascade', lines: [0, 1] },
  null,
  { driver: 'cascade', lines: [1, 2] },
  { driver: 'realtime', lines: [0] },
  { driver: 'realtime', lines: [0] },
  { driver: 'realtime', lines: [0] },
  { driver: 'realtime', lines: [0] },
  { driver: 'realtime', lines: [2] },
] as const;

/** Most calls need lines, some need two; two accounts share the operator's. */
const LINES = {
  channels: null,
  accountCapacity: 4,
  systemCapacity: 7,
  balances: [900, 900],
  lines: [
    { maxCalls: 1, owner: 'operator' },
    { maxCalls: 2, owner: 'operator' },
    { maxCalls: 2, owner: 'own' },
  ],
  kinds: [
    { driver: 'cascade', lines: [0, 1] },
    null,
    { driver: 'cascade', lines: [0, 2] },
    { driver: 'realtime', lines: [0] },
    { driver: 'realtime', lines: [0] },
    { driver: 'realtime', lines: [2] },
  ],
} as const;

/** Each profile makes one kind of trouble frequent; everything else may still happen. */
export const PROFILES = {
  everything: EVERYTHING,
  /** The gate is lost and rebuilt while requests are on their way. */
  rebuilds: profile(
    'rebuilds',
    { channels: null, apis: 3, balances: [140], systemCapacity: 2, maxDurationsSeconds: [60] },
    { create: 70, drain: 80, wait: 20, quiet: 3, redis_flush: 12, rebuild: 60, top_up: 0, far_end: 50, reconcile: 4 },
  ),
  /** Redis comes back with older data. */
  stale_redis: profile(
    'stale_redis',
    { channels: null, balances: [260, 160] },
    { redis_save: 20, redis_restart: 12, redis_failover: 8, redis_failback: 12, redis_flush: 0, rebuild: 8 },
  ),
  /** Clients retry under the same key, and earlier requests arrive late or twice. */
  retries: profile(
    'retries',
    { channels: null, keys: 1, balances: [400], accountCapacity: 3 },
    { abandon: 40, stray: 50, create: 90, duplicate: 50, take_job: 20, far_end: 6, kill: 2, redis_cut: 1 },
  ),
  late_commits: profile(
    'late_commits',
    { channels: null },
    { abandon: 24, stray: 20, kill: 16, reconcile: 40, wait: 60, quiet: 10 },
  ),
  many_drivers: profile(
    'many_drivers',
    { channels: null, workers: 3, balances: [600] },
    { stall_job: 30, take_job: 80, stop: 12, continue: 16, kill: 6, end: 16, wait: 50 },
  ),
  /** Calls wait in the queue past their expiry. */
  slow_queue: profile(
    'slow_queue',
    { channels: null, queueTtlSeconds: 12, balances: [600, 600], opening: EXPIRED },
    { wait: 90, take_job: 60, reconcile: 4, quiet: 1, kill: 2 },
  ),
  /** Answers are lost, and their requests are retried. */
  lost_answers: profile(
    'lost_answers',
    { channels: null, balances: [600, 600], opening: HUNG_UP },
    { ...NO_FAULTS, perform: 160, step: 100, drain: 30, abandon: 90, far_end: 40, take_job: 60, wait: 40 },
  ),
  /** Calls talk for minutes, while top-ups for them arrive bit by bit. */
  long_calls: profile(
    'long_calls',
    {
      channels: null,
      balances: [280, 140],
      maxDurationsSeconds: [400],
      accountCapacity: 3,
      maxCommands: 160,
      opening: TALKING,
    },
    { quiet: 26, drain: 90, top_up: 30, duplicate: 40, stray: 40, redis_flush: 10, rebuild: 40, far_end: 24, end: 1 },
  ),
  /** The gate is lost while holds grow. */
  growing_holds: profile(
    'growing_holds',
    { channels: null, balances: [400, 400], maxDurationsSeconds: [400], maxCommands: 60, opening: GROWING },
    { ...NO_FAULTS, create: 4, drain: 120, step: 60, redis_flush: 60, rebuild: 120, wait: 10, quiet: 2, far_end: 4 },
  ),
  /** Small top-ups enlarge holds, and messages about them arrive late or twice. */
  bit_by_bit: profile(
    'bit_by_bit',
    {
      channels: null,
      balances: [140, 140],
      maxDurationsSeconds: [600],
      waitsMs: [1_000, 3_000, 5_000, 5_000, 11_000],
      opening: [...TALKING, { kind: 'wait', pick: 4 }, { kind: 'wait', pick: 4 }],
    },
    { ...NO_FAULTS, create: 8, drain: 120, step: 60, wait: 60, top_up: 60, duplicate: 80, stray: 50, far_end: 16 },
  ),
  /** Outdated balances are reported again. */
  late_balances: profile(
    'late_balances',
    { channels: null, balances: [400, 400], maxDurationsSeconds: [180], opening: TOLD_TWICE },
    { ...NO_FAULTS, drain: 120, stray: 60, duplicate: 60, top_up: 30, far_end: 40 },
  ),
  /** The account can pay for the first two minutes only. */
  out_of_funds: profile(
    'out_of_funds',
    {
      channels: null,
      apis: 1,
      workers: 1,
      balances: [130],
      maxDurationsSeconds: [400],
      maxCommands: 60,
      opening: LAST_SECONDS,
    },
    { ...NO_FAULTS, create: 4, drain: 120, step: 60, wait: 80, kill: 24, quiet: 0, far_end: 0, end: 0, top_up: 0 },
  ),
  /** Models use what costs money, while workers die and renewals are late or come twice. */
  models: profile(
    'models',
    {
      hasModels: true,
      kinds: [{ driver: 'realtime', lines: [] }],
      balances: [400, 220],
      maxDurationsSeconds: [180, 400],
      accountCapacity: 3,
      opening: TALKING,
    },
    { use_models: 120, kill: 8, abandon: 30, duplicate: 30, stray: 30, quiet: 12, take_job: 60, top_up: 12 },
  ),
  /** Requests from before and after a rebuild go to Postgres together. */
  batches: profile(
    'batches',
    { ...SPACIOUS, apis: 1, opening: MIXED_BATCH },
    { create: 90, drain: 80, redis_flush: 8, rebuild: 60, reconcile: 4 },
  ),
  trunks: profile(
    'trunks',
    { channels: 1, accountCapacity: 3, balances: [600, 300], kinds: EVERYTHING.kinds },
    { redis_flush: 4, rebuild: 24 },
  ),
  /** The gate is lost and rebuilt, and workers die, while calls have lines that are not claimed with them yet. */
  lines: profile(
    'lines',
    { ...LINES, opening: LINE_OF_BEFORE },
    { take_job: 90, redis_flush: 6, redis_failover: 3, rebuild: 50, stall_job: 16, duplicate: 16, drain: 40 },
  ),
  /** Nothing crashes: lines are full, closed and shared. */
  full_lines: profile(
    'full_lines',
    { ...LINES, channels: 3, lines: SHARED_LINES, kinds: SHARING_KINDS, opening: MORE_THAN_HALF },
    { ...NO_FAULTS, take_job: 120, stall_job: 20, close_line: 4, far_end: 40, create: 60, drain: 90, rebuild: 4 },
  ),
  /** Models fail and recover, while calls wait for them and workers die. */
  breakers: profile(
    'breakers',
    {
      ...LINES,
      accountCapacity: 6,
      systemCapacity: 9,
      lines: [
        { maxCalls: 6, owner: 'operator' },
        { maxCalls: 6, owner: 'operator' },
        { maxCalls: 4, owner: 'own' },
      ],
      waitsMs: [100, 400, 1_000, 3_000, 15_000, 30_000],
      queueTtlSeconds: 600,
    },
    {
      take_job: 120,
      model_outcome: 120,
      check_breakers: 40,
      close_line: 4,
      fall_back: 12,
      far_end: 40,
      create: 60,
      drain: 90,
      wait: 60,
      kill: 2,
      redis_flush: 0,
    },
  ),
  /** Workers die while they dial and are answered, also while Postgres is out of reach. */
  orphans: profile(
    'orphans',
    { channels: 3, workers: 3, accountCapacity: 3, balances: [600, 600], maxDurationsSeconds: [400] },
    { take_job: 80, far_end: 90, kill: 24, reconcile: 40, wait: 50, postgres_stop: 6, redis_flush: 0, rebuild: 8 },
  ),
  /** Dialing is paused and resumed while calls are on their way from the queue to the telephone. */
  pauses: profile(
    'pauses',
    { ...SPACIOUS, queueTtlSeconds: 60 },
    { ...NO_FAULTS, pause: 40, resume: 50, take_job: 80, step: 260, drain: 20, wait: 90, kill: 4, quiet: 3 },
  ),
  paused_trunks: profile(
    'paused_trunks',
    { channels: 2, balances: [600, 300] },
    { pause: 30, resume: 40, take_job: 80, step: 260, drain: 20, wait: 90 },
  ),
  ...LATER_PROFILES,
  ...SUPPRESSION_PROFILES,
  ...POLICY_PROFILES,
  ...CAMPAIGN_PROFILES,
  ...TRANSFER_PROFILES,
  lossy_postgres: profile(
    'lossy_postgres',
    { channels: null, losesCommits: true, balances: [600] },
    {
      ...REDIS_KEEPS_ALL,
      postgres_replicate: 12,
      postgres_lose: 8,
      take_job: 80,
      reconcile: 24,
      rebuild: 40,
    },
  ),
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof PROFILES;

export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(PROFILES, name);
}
