import type { ClaimedCall, LineLimits, UsedModel } from '@outdial/calls';
import type { AccountId, BreakerName, CallId, CreateCallBody, Driver, E164 } from '@outdial/contracts';
import type { Database, OwnCampaigns, OwnUploads } from '@outdial/persistence';
import type { AdmissionWatch } from '../check/admissions.ts';
import type { LineShares } from '../check/line-shares.ts';
import type { Moment } from '../check/moment.ts';
import type { Promises } from '../check/promises.ts';
import type { Party } from '../processes/fixtures.ts';
import type { Profile } from '../profile.ts';
import type { RedisCluster } from '../stores/redis-cluster.ts';
import type { SimulatedPostgres } from '../stores/simulated-postgres.ts';
import type { Campaigns } from './campaigns.ts';
import type { WorldClock } from './clock.ts';
import type { SilentConversations } from './conversations.ts';
import type { IdSequence } from './id-sequence.ts';
import type { ModelUsage } from './model-usage.ts';
import type { OptOuts } from './opt-outs.ts';
import type { Policies } from './policies.ts';
import type { Process } from './process.ts';
import type { FarLeg, TelephoneNetwork } from './telephone-network.ts';
import type { Wire } from './wire.ts';

/** The stores of a world: two empty Redis databases, and a migrated Postgres database without rows. */
export interface StoreUrls {
  readonly redisUrl: string;
  readonly otherRedisUrl: string;
  readonly databaseUrl: string;
}

/** Clients that outlive the worlds: connecting takes longer than most worlds last. */
export interface Connections {
  readonly clock: WorldClock;
  readonly postgres: SimulatedPostgres;
  readonly redis: RedisCluster;
  readonly database: Database;
  close(): Promise<void>;
}

export interface CreateInput {
  readonly party: Party;
  readonly callee: E164;
  readonly key: string | null;
  readonly maxDurationSeconds: number;
  readonly when: When;
}

/** When to dial, and whether again; empty: once, at once. */
export type When = Pick<
  CreateCallBody,
  'scheduled_for' | 'expires_at' | 'on_capacity' | 'on_closed' | 'callee_time_zone' | 'retry'
>;

/** A process that accepts calls: the product's use cases over links that the schedule controls. */
export interface Api {
  readonly process: Process;
  create(input: CreateInput): void;
  end(accountId: AccountId, callId: CallId): void;
  topUp(accountId: AccountId, key: string): void;
  /** The account's campaigns, and files of contacts to them. */
  campaignsOf(accountId: AccountId): { readonly campaigns: OwnCampaigns; readonly uploads: OwnUploads };
}

/** A process that drives calls and settles those of crashed workers: the product's use cases over controlled links. */
export interface Worker {
  readonly process: Process;
  /** Takes a job from the queue. */
  take(callId: CallId): void;
  hear(leg: FarLeg): void;
  endRequested(callId: CallId): void;
  /** One sweep, unless the last one is still running. */
  reconcile(): void;
  rebuild(): void;
  /** A round of admissions, unless the last one is still running. */
  admit(): void;
  /** Campaigns are moved on and uploads tidied, unless the last sweep is still running. */
  sweep(): void;
  liveCalls(): number;
  readonly drivers: readonly Driver[];
  openBreaker(breaker: BreakerName, forMs: number): void;
  /** A model showed something in a call. */
  used(model: UsedModel): void;
  checkBreakers(result: 'reachable' | 'unreachable'): void;
  /** Takes a line for a fallback in a call that this worker drives. */
  fallBack(call: Pick<ClaimedCall, 'id' | 'reservationId' | 'epoch'>, line: LineLimits): void;
}

/** Looks at the promises that hold at every moment. */
export interface Check {
  /** After a round in which everything that waited went on. */
  afterRound(startedMs: number): Promise<Moment>;
  look(): Promise<Moment>;
  atRest(moment: Moment): void;
}

/** One installation of the product, from its first request to its rest. */
export interface World extends Omit<Connections, 'close'> {
  readonly profile: Profile;
  readonly ids: IdSequence;
  readonly wire: Wire;
  readonly network: TelephoneNetwork;
  readonly promises: Promises;
  readonly conversations: SilentConversations;
  readonly usage: ModelUsage;
  readonly optOuts: OptOuts;
  readonly policies: Policies;
  readonly campaigns: Campaigns;
  readonly check: Check;
  readonly shares: LineShares;
  readonly admissions: AdmissionWatch;
  /** What was asked under each key of a request for later: a repetition asks the same. */
  readonly askedLater: Map<string, When>;
  readonly parties: readonly Party[];
  readonly apis: Api[];
  readonly workers: Worker[];
  /** The number of started processes: each has a unique name. */
  started: number;
}
