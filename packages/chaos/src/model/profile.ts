import type { AttemptCap, Driver } from '@outdial/contracts';

/** The actions of a schedule; the profile gives each its weight. */
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
  'use_models',
  'close_line',
  'fall_back',
  'model_outcome',
  'check_breakers',
  'schedule',
  'admit',
  'suppress',
  'unsuppress',
  'opt_out',
  'save_policy',
  'open_policies',
  'forget_zones',
  'start_campaign',
  'steer_campaign',
  'change_campaign',
  'add_contacts',
  'upload',
  'sweep',
  'transfer',
  'introduce',
] as const;

export type ActionKind = (typeof ACTIONS)[number];

/** One choice of the schedule. `pick` selects among the possible targets. */
export interface Action {
  readonly kind: ActionKind;
  readonly pick: number;
}

/** A line of the world. `own`: an account's own, which no share bounds. */
export interface LineSettings {
  readonly maxCalls: number;
  readonly owner: 'operator' | 'own';
}

/** How a call is conducted, and the lines that it needs, by their index; null for a scripted call. */
export type CallKind = { readonly driver: Driver; readonly lines: readonly number[] } | null;

/** What requests say that do not ask for a single dial at once. */
export interface LaterRequests {
  /** How far ahead a call is scheduled. */
  readonly aheadMs: readonly number[];
  /** From the time of the first dial until the request is given up, with all its retries. */
  readonly patienceMs: readonly number[];
  readonly maxAttempts: readonly number[];
}

/** What the campaigns of a world may be like; each is one of the choices. */
export interface CampaignChoices {
  /** How many a world has at most. */
  readonly count: number;
  readonly contacts: readonly number[];
  /** 1: no contact is called again. */
  readonly maxAttempts: readonly number[];
  readonly callsPerSecond: readonly (number | null)[];
  readonly maxConcurrent: readonly (number | null)[];
  readonly budgetMicros: readonly (number | null)[];
  readonly startsInMs: readonly (number | null)[];
  readonly endsInMs: readonly (number | null)[];
  /** Whether their own hours close and open. */
  readonly hasHours: boolean;
  /** Of the slots of each account, in their order. */
  readonly percents: readonly number[];
}

/** A small world, and how often what happens in it. */
export interface Profile {
  readonly name: string;
  readonly apis: number;
  readonly workers: number;
  /** In micros; a second of talk costs one. */
  readonly balances: readonly number[];
  readonly accountCapacity: number;
  readonly systemCapacity: number;
  /** Channels of the only trunk; null for a carrier without trunks. */
  readonly channels: number | null;
  /** The lines of the world's credentials. */
  readonly lines: readonly LineSettings[];
  /** Each call has one of these kinds; without any, all calls are scripted. */
  readonly kinds: readonly CallKind[];
  /** The number of idempotency keys that requests share; a third of the requests has none. */
  readonly keys: number;
  readonly queueTtlSeconds: number;
  /** The number of telephones that requests ask for. */
  readonly callees: number;
  /** Null: no request of the kind is sent, and no worker admits any. */
  readonly later: LaterRequests | null;
  /** Null: there are no campaigns. */
  readonly campaigns: CampaignChoices | null;
  /** The caps of calling policies, one of which each policy has; null: there are no calling policies. */
  readonly caps: readonly (readonly AttemptCap[])[] | null;
  /** Models conduct the calls, and use what costs money. */
  readonly hasModels: boolean;
  readonly maxDurationsSeconds: readonly number[];
  /**
   * Commits may be lost in a failover. Then only two things are promised: no second dial, and no money out of
   * nothing.
   */
  readonly losesCommits: boolean;
  /** The amounts by which time may pass at once. */
  readonly waitsMs: readonly number[];
  /** The first actions of every schedule, for states that chance would take long to reach. */
  readonly opening: readonly Action[];
  readonly maxCommands: number;
  readonly weights: Readonly<Record<ActionKind, number>>;
}

/** Everything happens, in about the proportion that finds the most errors. */
export const EVERYTHING: Profile = {
  name: 'everything',
  apis: 2,
  workers: 2,
  balances: [300, 160],
  accountCapacity: 2,
  systemCapacity: 3,
  channels: 2,
  lines: [
    { maxCalls: 2, owner: 'operator' },
    { maxCalls: 1, owner: 'own' },
  ],
  kinds: [null, { driver: 'realtime', lines: [0] }, null, { driver: 'cascade', lines: [0, 1] }],
  keys: 3,
  queueTtlSeconds: 120,
  callees: 1,
  later: null,
  campaigns: null,
  caps: null,
  hasModels: false,
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
    use_models: 0,
    close_line: 1,
    fall_back: 2,
    model_outcome: 0,
    check_breakers: 0,
    schedule: 0,
    admit: 0,
    suppress: 0,
    unsuppress: 0,
    opt_out: 0,
    save_policy: 0,
    open_policies: 0,
    forget_zones: 0,
    start_campaign: 0,
    steer_campaign: 0,
    change_campaign: 0,
    add_contacts: 0,
    upload: 0,
    sweep: 0,
    transfer: 0,
    introduce: 0,
  },
};

/** When Postgres forgets a claim, only the dial marks prevent a second dial. */
export const REDIS_KEEPS_ALL = {
  redis_flush: 0,
  redis_restart: 0,
  redis_failover: 0,
  redis_failback: 0,
} as const satisfies Partial<Profile['weights']>;

/**
 * The same world with other proportions: fields that are left out stay as in `EVERYTHING`, except that its calls are
 * scripted.
 */
export function profile(
  name: string,
  changes: Partial<Omit<Profile, 'name' | 'weights'>>,
  weights: Partial<Profile['weights']> = {},
): Profile {
  const { kinds = [] } = changes;
  const ofLines = kinds.length > 0 ? {} : { close_line: 0, fall_back: 0 };
  return { ...EVERYTHING, ...changes, kinds, name, weights: { ...EVERYTHING.weights, ...ofLines, ...weights } };
}
