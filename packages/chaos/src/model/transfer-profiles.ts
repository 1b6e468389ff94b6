import { TALKING } from './openings.ts';
import { profile, type Action, type Profile } from './profile.ts';

const ALL_GO_ON: Action = { kind: 'drain', pick: 0 };

/** Two calls talk, and the agent of one of them has asked for a transfer. */
const ASKED: readonly Action[] = [...TALKING, { kind: 'transfer', pick: 1 }, ALL_GO_ON];

/** The gate has granted a second leg, and is rebuilt while the leg is on its way to Postgres. */
const GRANTED_BEFORE: readonly Action[] = [
  ...TALKING,
  ALL_GO_ON,
  { kind: 'transfer', pick: 1 },
  { kind: 'step', pick: 0 },
  { kind: 'step', pick: 0 },
  { kind: 'redis_flush', pick: 0 },
  { kind: 'rebuild', pick: 64 },
  // All that waits proceeds, except for the oldest message.
  { kind: 'drain', pick: 1 },
  ALL_GO_ON,
];

const TRANSFERS = {
  channels: null,
  balances: [1_200, 700],
  accountCapacity: 4,
  systemCapacity: 6,
  maxDurationsSeconds: [180, 400],
  opening: ASKED,
  maxCommands: 200,
} as const;

const OFTEN = {
  transfer: 50,
  introduce: 40,
  far_end: 60,
  take_job: 60,
  create: 20,
  quiet: 8,
} as const satisfies Partial<Profile['weights']>;

/** Worlds in which agents transfer their callees warm. */
export const TRANSFER_PROFILES = {
  /** Everything happens while second legs ring, are introduced and connected. */
  transfers: profile('transfers', TRANSFERS, OFTEN),
  /** On a trunk: a second leg takes a channel, and workers die while it is up. */
  transfer_orphans: profile(
    'transfer_orphans',
    { ...TRANSFERS, channels: 3, workers: 3 },
    { ...OFTEN, kill: 20, reconcile: 40, wait: 50, postgres_stop: 4, redis_flush: 0, rebuild: 8 },
  ),
  /** The gate is lost and rebuilt, and holds of both legs grow. */
  transfer_rebuilds: profile(
    'transfer_rebuilds',
    { ...TRANSFERS, balances: [700, 400], maxDurationsSeconds: [400], opening: GRANTED_BEFORE },
    { ...OFTEN, quiet: 26, drain: 90, top_up: 20, redis_flush: 14, rebuild: 60, kill: 2, duplicate: 30, stray: 40 },
  ),
  /** Accounts have few slots and little money: most second legs are refused, and none goes beyond. */
  transfer_bounds: profile(
    'transfer_bounds',
    { ...TRANSFERS, balances: [520, 460], accountCapacity: 3, systemCapacity: 4 },
    { ...OFTEN, abandon: 16, duplicate: 24, stray: 30, end: 12, pause: 4, resume: 20 },
  ),
} as const satisfies Readonly<Record<string, Profile>>;
