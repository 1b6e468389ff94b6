import type { CallId, E164, ReservationId, TrunkName } from '@outdial/contracts';
import type { Trunk } from '../trunks/trunk.ts';
import type { TrunkEvidence } from '../trunks/trunk-evidence.ts';
import type { LegDialog } from './carrier.ts';
import type { FencedOutcome, FencingToken } from './drive-store.ts';
import type { GateToken, SystemLimits } from './gate.ts';

/** All trunks as they are now. A change is seen within a second, if Postgres answers promptly. */
export interface TrunkDirectory {
  /** Rejects while Postgres is away. */
  all(): Promise<readonly Trunk[]>;
}

/** Whether calls may be given to a trunk, by the evidence of all workers. @see evaluateTrunk */
export interface TrunkHealth {
  /** True as well for the one call that a half-open trunk is tried with. */
  isUp(trunk: Trunk, callId?: CallId): boolean;
  /**
   * Takes the right to try a half-open trunk with this call; one call at a time has it, over all workers. False at once
   * where the trunk is not half-open. Rejects while Postgres is away.
   */
  tryProbe(trunk: Trunk, callId: CallId): Promise<boolean>;
}

/**
 * `unreachable`: nothing comes back, or there is no way to it. `congested`: it says 503, and not for one destination
 * alone. `unauthorized`: it refuses our credentials.
 */
export const TRUNK_STATES = ['up', 'unreachable', 'congested', 'unauthorized'] as const;
export type TrunkState = (typeof TRUNK_STATES)[number];

/** What one worker knows of one trunk. */
export interface TrunkCondition {
  readonly trunk: TrunkName;
  readonly state: TrunkState;
  /** For people: what happened on the wire. */
  readonly detail: string | null;
}

/** Evidence as workers share it; `settings` is a fingerprint, because changed settings make another trunk. */
export interface SharedEvidence {
  /** A UUID: adding it twice is adding it once. */
  readonly id: string;
  readonly trunk: TrunkName;
  readonly settings: string;
  readonly evidence: DistributiveOmit<TrunkEvidence, 'atMs' | 'sinceMs' | 'own'>;
  /** How long ago it was, and how long before that the request was sent. */
  readonly ageMs: number;
  readonly awaitedMs: number;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Where workers share what they have seen of trunks. Rejects while Postgres is away. */
export interface TrunkEvidenceStore {
  add(evidence: readonly SharedEvidence[]): Promise<void>;
  /** What all workers have added within so long, and of each trunk the last call that it carried. */
  recent(withinMs: number): Promise<readonly SharedEvidence[]>;
  /** The right to try a half-open trunk with this call: another call has it only once this one's has run out. */
  takeProbe(input: { readonly trunk: TrunkName; readonly callId: CallId; readonly forMs: number }): Promise<boolean>;
  endProbe(callId: CallId): Promise<void>;
}

/**
 * Whether the trunks take calls, as one worker finds it. `none`: no trunk is enabled. `out`: every enabled trunk is out of
 * order; a half-open one takes a call, so it counts as `up`.
 */
export type TrunkAvailability =
  | { readonly kind: 'up' }
  | { readonly kind: 'none' }
  /** `backInMs` is null where it is not known. */
  | { readonly kind: 'out'; readonly forMs: number; readonly backInMs: number | null };

/** Where workers tell whoever accepts calls how the trunks are. */
export interface TrunkAvailabilityStore {
  /** To be repeated: what is older than `AVAILABILITY_TTL_MS` counts no more. */
  save(workerId: string, outlook: TrunkAvailability): Promise<void>;
  remove(workerId: string): Promise<void>;
  /** The best of what workers told of late; null if no worker over trunks did. */
  read(): Promise<TrunkAvailability | null>;
}

/** Where operators read how the trunks are. */
export interface TrunkConditions {
  /** In the place of what this worker told before; to be repeated: what is old counts no more. */
  save(workerId: string, conditions: readonly TrunkCondition[]): Promise<void>;
}

/** Part of a trunk: how many calls it carries at once, and how many it takes a second. */
export type TrunkLimits = Pick<Trunk, 'name' | 'channels' | 'callsPerSecond'>;

export type AdmitOutcome =
  | { readonly kind: 'closed' }
  /** The gate does not hold this call: it has ended, or the gate is about to be rebuilt. */
  | { readonly kind: 'not_held' }
  /** The channels of this generation of the gate are not known yet: `restore` them, then ask again. */
  | { readonly kind: 'stale'; readonly token: GateToken }
  /** The call has a channel of this trunk, now or from before; one call of the trunk's second is spent. */
  | { readonly kind: 'admitted'; readonly trunk: TrunkName }
  /** Every trunk is full, or was dialled too short a while ago: worth another try after that long. */
  | { readonly kind: 'wait'; readonly forMs: number };

export type TakeOutcome =
  | { readonly kind: 'closed' }
  | { readonly kind: 'not_held' }
  | { readonly kind: 'stale'; readonly token: GateToken }
  /** The call has a channel of this trunk and of no other. To be used only once Postgres has it under the token. */
  | { readonly kind: 'taken'; readonly token: GateToken }
  | { readonly kind: 'full' }
  /** A channel is free, and the trunk was dialled too short a while ago. */
  | { readonly kind: 'wait'; readonly forMs: number };

/**
 * The channels of all trunks and the pace at which they are dialled, across all workers. A channel belongs to a
 * reservation and is free as soon as the gate no longer holds that: there is nothing to release. Outcomes in order of
 * precedence. Every method rejects when Redis does not answer in time.
 */
export interface TrunkChannels {
  /** Before the claim: a channel of the first trunk that has one free and may be dialled now. */
  admit(input: { readonly callId: CallId; readonly trunks: readonly TrunkLimits[] }): Promise<AdmitOutcome>;
  /** At the dial, and at each further attempt: moves the call to a channel of `trunk`. */
  take(input: {
    readonly callId: CallId;
    readonly reservationId: ReservationId;
    readonly trunk: TrunkLimits;
  }): Promise<TakeOutcome>;
  /**
   * Brings in the channels of all open calls, as Postgres knew them after it had given out `token`. Once for each
   * generation: whoever comes second changes nothing.
   */
  restore(token: GateToken, channels: readonly TakenChannel[]): Promise<'restored' | 'superseded'>;
  /**
   * Sets the system's capacity below its setting, to the channels that are configured; `capacityVersion` is that of the setting. `unchanged`: the gate has
   * another setting.
   */
  limitSystem(limits: SystemLimits): Promise<'limited' | 'unchanged' | 'closed'>;
}

/** A call that is up, or may be, on a trunk. */
export interface TakenChannel {
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly trunk: TrunkName;
}

/** The attempts at trunks, as Postgres keeps them. */
export interface DialAttemptStore {
  /**
   * Writes down which trunk is tried next, and the leg as it will be, before anything is sent: fenced by the epoch and by
   * the gate's token. The dialog takes the place of the one of the attempt before. Repeating it changes nothing. Not
   * while dialling is paused.
   */
  beginAttempt(
    input: FencingToken & {
      readonly carrier: string;
      readonly trunk: TrunkName;
      readonly dialog: LegDialog;
      /** 1 for the call's first. */
      readonly number: number;
      readonly token: GateToken;
    },
  ): Promise<FencedOutcome | { readonly kind: 'gate_stale' } | { readonly kind: 'paused' }>;
  /** The number that a call is placed from; null for a call that is not there. */
  callerNumberOf(callId: CallId): Promise<E164 | null>;
  /** Of every open call that was given to a trunk. */
  takenChannels(): Promise<readonly TakenChannel[]>;
}
