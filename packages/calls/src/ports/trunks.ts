import type { CallId, E164, ReservationId, TrunkName } from '@outdial/contracts';
import type { Trunk } from '../trunk.ts';
import type { TrunkEvidence } from '../trunk-evidence.ts';
import type { LegDialog } from './carrier.ts';
import type { FencedOutcome, FencingToken } from './drive-store.ts';
import type { GateToken, SystemLimits } from './gate.ts';

/** All trunks with their current settings. A change is visible within a second, if Postgres answers promptly. */
export interface TrunkDirectory {
  /** Rejects while Postgres is away. */
  all(): Promise<readonly Trunk[]>;
}

/** Whether a trunk may be given calls, by the evidence of all workers. @see evaluateTrunk */
export interface TrunkHealth {
  /** Also true for the one call that probes a half-open trunk. */
  isUp(trunk: Trunk, callId?: CallId): boolean;
  /**
   * Takes the right to probe a half-open trunk with this call; one call at a time has it, across all workers. False at
   * once if the trunk is not half-open. Rejects while Postgres is away.
   */
  tryProbe(trunk: Trunk, callId: CallId): Promise<boolean>;
}

/**
 * `unreachable`: no response arrives, or there is no route to it. `congested`: it responds 503, to more than one
 * destination. `unauthorized`: it rejects our credentials.
 */
export const TRUNK_STATES = ['up', 'unreachable', 'congested', 'unauthorized'] as const;
export type TrunkState = (typeof TRUNK_STATES)[number];

/** The condition of one trunk as one worker sees it. */
export interface TrunkCondition {
  readonly trunk: TrunkName;
  readonly state: TrunkState;
  /** For people: what happened on the wire. */
  readonly detail: string | null;
}

/** Evidence as workers share it. `settings` is a fingerprint: a trunk with changed settings counts as another trunk. */
export interface SharedEvidence {
  /** A UUID. Adding the same id twice has no effect. */
  readonly id: string;
  readonly trunk: TrunkName;
  readonly settings: string;
  readonly evidence: DistributiveOmit<TrunkEvidence, 'atMs' | 'sinceMs' | 'own'>;
  /** How long ago it happened, and how long before that the request was sent. */
  readonly ageMs: number;
  readonly awaitedMs: number;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Where workers share their evidence about trunks. Rejects while Postgres is away. */
export interface TrunkEvidenceStore {
  add(evidence: readonly SharedEvidence[]): Promise<void>;
  /** The evidence that all workers added within this time, and for each trunk the last call that it carried. */
  recent(withinMs: number): Promise<readonly SharedEvidence[]>;
  /** The right to probe a half-open trunk with this call. Another call gets it only once this one's has expired. */
  takeProbe(input: { readonly trunk: TrunkName; readonly callId: CallId; readonly forMs: number }): Promise<boolean>;
  endProbe(callId: CallId): Promise<void>;
}

/**
 * Whether the trunks take calls, as one worker sees it. `none`: no trunk is enabled. `out`: every enabled trunk is down; a
 * half-open trunk takes a call, so it counts as `up`.
 */
export type TrunkAvailability =
  | { readonly kind: 'up' }
  | { readonly kind: 'none' }
  /** `backInMs` is null if it is not known. */
  | { readonly kind: 'out'; readonly forMs: number; readonly backInMs: number | null };

/** Where workers report the availability of the trunks to the processes that accept calls. */
export interface TrunkAvailabilityStore {
  /** Repeat it: a report older than `AVAILABILITY_TTL_MS` is ignored. */
  save(workerId: string, availability: TrunkAvailability): Promise<void>;
  remove(workerId: string): Promise<void>;
  /** The best of the recent reports; null if there is none from a worker with trunks. */
  read(): Promise<TrunkAvailability | null>;
}

/** Where operators read the condition of the trunks. */
export interface TrunkConditions {
  /** Replaces this worker's previous report. Repeat it: old reports are ignored. */
  save(workerId: string, conditions: readonly TrunkCondition[]): Promise<void>;
}

/** The limits of a trunk: how many calls it carries at once, and how many it takes per second. */
export type TrunkLimits = Pick<Trunk, 'name' | 'channels' | 'callsPerSecond'>;

export type AcquireOutcome =
  | { readonly kind: 'closed' }
  /** The gate does not hold this call: it has ended, or the gate is about to be rebuilt. */
  | { readonly kind: 'not_held' }
  /** The channels of this generation of the gate are not loaded yet: `restore` them, then try again. */
  | { readonly kind: 'stale'; readonly token: GateToken }
  /** The call has a channel of this trunk, now or from before; it counts towards the trunk's calls per second. */
  | { readonly kind: 'acquired'; readonly trunk: TrunkName }
  /** Every trunk is full, or its call rate is used up: try again after that time. */
  | { readonly kind: 'wait'; readonly forMs: number };

export type TakeOutcome =
  | { readonly kind: 'closed' }
  | { readonly kind: 'not_held' }
  | { readonly kind: 'stale'; readonly token: GateToken }
  /** The call has a channel of this trunk and of no other. Use it only once Postgres has stored it under the token. */
  | { readonly kind: 'taken'; readonly token: GateToken }
  | { readonly kind: 'full' }
  /** A channel is free, but the trunk's call rate is used up. */
  | { readonly kind: 'wait'; readonly forMs: number };

/**
 * The channels of all trunks and their call rates, across all workers. A channel belongs to a reservation and is free as
 * soon as the gate no longer holds that reservation: there is nothing to release. Outcomes in order of precedence. Every
 * method rejects when Redis does not answer in time.
 */
export interface TrunkChannels {
  /** Before the claim: takes a channel of the first trunk that has a free channel and may be dialed now. */
  acquire(input: { readonly callId: CallId; readonly trunks: readonly TrunkLimits[] }): Promise<AcquireOutcome>;
  /** At each dial attempt: moves the call to a channel of `trunk`. */
  take(input: {
    readonly callId: CallId;
    readonly reservationId: ReservationId;
    readonly trunk: TrunkLimits;
  }): Promise<TakeOutcome>;
  /**
   * Loads the channels of all open calls, as Postgres knew them after it had issued `token`. Takes effect once per
   * generation: a second call changes nothing.
   */
  restore(token: GateToken, channels: readonly TakenChannel[]): Promise<'restored' | 'superseded'>;
  /**
   * Limits the system's capacity to the configured channels if they are fewer than its setting; `capacityVersion` is the
   * version of that setting. `unchanged`: the gate has another version.
   */
  limitSystem(limits: SystemLimits): Promise<'limited' | 'unchanged' | 'closed'>;
}

/** A call that is up, or may be, on a trunk. */
export interface TakenChannel {
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly trunk: TrunkName;
}

/** The dial attempts in Postgres. */
export interface DialAttemptStore {
  /**
   * Stores the trunk that is tried next, and the leg as it will be, before anything is sent: fenced by the epoch and by
   * the gate's token. The dialog replaces that of the previous attempt. Idempotent. `paused`: dialing is paused,
   * the number was suppressed, or the calling hours are closed; a claim says which.
   */
  beginAttempt(
    input: FencingToken & {
      readonly carrier: string;
      readonly trunk: TrunkName;
      readonly dialog: LegDialog;
      /** 1 for the call's first attempt. */
      readonly number: number;
      readonly token: GateToken;
    },
  ): Promise<FencedOutcome | { readonly kind: 'gate_stale' } | { readonly kind: 'paused' }>;
  /** The caller number of a call; null if the call does not exist. */
  callerNumberOf(callId: CallId): Promise<E164 | null>;
  /** The channels of all open calls that were given to a trunk. */
  takenChannels(): Promise<readonly TakenChannel[]>;
}
