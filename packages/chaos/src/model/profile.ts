/** What a schedule is made of; each is worth as many chances as the profile says. */
export const ACTIONS = [
  'step',
  'drain',
  'perform',
  'abandon',
  'duplicate',
  'stray',
  'wait',
  'quiet',
  'create',
  'end',
  'top_up',
  'take_job',
  'stall_job',
  'far_end',
  'reconcile',
  'rebuild',
  'stop',
  'continue',
  'kill',
  'redis_cut',
  'redis_heal',
  'redis_flush',
  'redis_save',
  'redis_restart',
  'redis_failover',
  'redis_failback',
  'redis_reunite',
  'postgres_stop',
  'postgres_start',
  'postgres_failover',
  'postgres_replicate',
  'postgres_lose',
  'pause',
  'resume',
] as const;

export type ActionKind = (typeof ACTIONS)[number];

/** One choice of the schedule. `pick` chooses among what there is to choose from. */
export interface Action {
  readonly kind: ActionKind;
  readonly pick: number;
}

/** A small world, and what happens in it how often. */
export interface Profile {
  readonly name: string;
  readonly apis: number;
  readonly workers: number;
  /** In micros; a second of talk costs one. */
  readonly balances: readonly number[];
  readonly accountCapacity: number;
  readonly systemCapacity: number;
  /** Of the one trunk; null for a carrier without trunks. */
  readonly channels: number | null;
  /** How many idempotency keys the requests share; a request in three has none. */
  readonly keys: number;
  readonly queueTtlSeconds: number;
  readonly maxDurationsSeconds: readonly number[];
  /** Commits may be lost in a failover. Then little is promised: no second dial, and no money that is not there. */
  readonly losesCommits: boolean;
  /** By how much time may pass at once. */
  readonly waitsMs: readonly number[];
  /** What happens first in every schedule: where it would take chance long to get to. */
  readonly opening: readonly Action[];
  readonly maxCommands: number;
  readonly weights: Readonly<Record<ActionKind, number>>;
}

/** Everything happens, in about the proportion in which it finds most. */
export const EVERYTHING: Profile = {
  name: 'everything',
  apis: 2,
  workers: 2,
  balances: [300, 160],
  accountCapacity: 2,
  systemCapacity: 3,
  channels: 2,
  keys: 3,
  queueTtlSeconds: 120,
  maxDurationsSeconds: [60, 180],
  losesCommits: false,
  waitsMs: [5, 20, 100, 100, 400, 400, 1_000, 3_000, 11_000, 20_000, 45_000, 61_000],
  opening: [],
  maxCommands: 260,
  weights: {
    step: 200,
    drain: 60,
    perform: 24,
    abandon: 8,
    duplicate: 6,
    stray: 12,
    wait: 36,
    quiet: 6,
    create: 40,
    end: 5,
    top_up: 5,
    take_job: 44,
    stall_job: 5,
    far_end: 20,
    reconcile: 12,
    rebuild: 16,
    stop: 4,
    continue: 12,
    kill: 4,
    redis_cut: 2,
    redis_heal: 16,
    redis_flush: 1,
    redis_save: 8,
    redis_restart: 1,
    redis_failover: 1,
    redis_failback: 1,
    redis_reunite: 2,
    postgres_stop: 2,
    postgres_start: 16,
    postgres_failover: 1,
    postgres_replicate: 0,
    postgres_lose: 0,
    pause: 0,
    resume: 0,
  },
};

/** The same world with other proportions: what is not named stays as it is in `EVERYTHING`. */
export function profile(
  name: string,
  changes: Partial<Omit<Profile, 'name' | 'weights'>>,
  weights: Partial<Profile['weights']> = {},
): Profile {
  return { ...EVERYTHING, ...changes, name, weights: { ...EVERYTHING.weights, ...weights } };
}
