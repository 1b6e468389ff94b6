import type { AccountId, BreakerName, CallId, LineName, ReservationId, TrunkName } from '@outdial/contracts';
import type { CallOfModel } from '../breaker.ts';
import type { ConductedCall, PinnedModel } from '../conducted-call.ts';
import type { LineLimits } from '../line.ts';
import type { FencedOutcome, FencingToken } from './drive-store.ts';
import type { GateToken } from './gate.ts';
import type { TrunkLimits } from './trunks.ts';

/** Which lines a call needs: one for each credential and component of its agent's settings. */
export interface LineDirectory {
  /**
   * No name occurs twice. Empty for a call that needs none, and for one that is unknown. A component without a usable
   * credential has no line: its call is claimed and ends for that reason, instead of waiting in the queue for nothing.
   * Rejects while Postgres is away.
   */
  linesOf(callId: CallId): Promise<readonly LineLimits[]>;
  /** The same of a call that is not made yet, of an agent whose models were planned. */
  linesOfPlan(call: CallOfModel, conducted: Pick<ConductedCall, 'driver' | 'models'>): Promise<readonly LineLimits[]>;
  /** The line of one of the call's models, whether it is a fallback or not; null without a usable credential. */
  lineOfModel(callId: CallId, model: ModelAtCredential): Promise<LineLimits | null>;
  /** The line of one of the call's fallbacks; null without a usable credential. */
  lineOfFallback(callId: CallId, fallback: ModelAtCredential): Promise<LineLimits | null>;
}

export type ModelAtCredential = Pick<PinnedModel, 'component' | 'credentialId' | 'model'>;

/** What a waiting call lacks. */
export interface Lack {
  readonly trunk: boolean;
  readonly lines: readonly LineName[];
}

export type AcquireLinesOutcome =
  | { readonly kind: 'closed' }
  | { readonly kind: 'not_held' }
  /** The channels or the lines of this generation of the gate are not loaded yet: restore both, then try again. */
  | { readonly kind: 'stale'; readonly token: GateToken }
  /**
   * The call has a channel and all these lines, now or from before. `lines` has every line of the call, also those that an
   * earlier question named: claim it with all of them. `trunk` is null if no trunk was given, or a claim came before.
   */
  | {
      readonly kind: 'acquired';
      readonly token: GateToken;
      readonly trunk: TrunkName | null;
      readonly lines: readonly LineName[];
    }
  /** Something is lacking, and a call that had no line has no channel either: try again after that time. */
  | { readonly kind: 'wait'; readonly forMs: number; readonly waitingFor: Lack };

export type TakeLineOutcome =
  | { readonly kind: 'closed' }
  | { readonly kind: 'not_held' }
  | { readonly kind: 'stale'; readonly token: GateToken }
  /** A breaker of the line holds the call back. */
  | { readonly kind: 'line_closed'; readonly forMs: number }
  /** The call has the line, now or from before. Use it only once Postgres has stored it under the token. */
  | { readonly kind: 'taken'; readonly token: GateToken }
  /** All places are taken, or kept for others. */
  | { readonly kind: 'full' }
  | { readonly kind: 'wait'; readonly forMs: number };

/**
 * The lines of all credentials, across all workers. A line belongs to a reservation like a channel: there is nothing to
 * release. Outcomes in order of precedence. Every method rejects when Redis does not answer in time.
 */
export interface LineGate {
  /**
   * Before the claim of a call that needs lines: a channel of the first trunk that has a free one, and every line, or
   * nothing. Without trunks no channel is taken. Never takes anything from a call that has lines: it may be up.
   */
  acquire(input: {
    readonly callId: CallId;
    readonly trunks: readonly TrunkLimits[];
    readonly lines: readonly LineLimits[];
  }): Promise<AcquireLinesOutcome>;
  /** In a call: one more line, for a fallback. */
  takeLine(input: {
    readonly callId: CallId;
    readonly reservationId: ReservationId;
    readonly line: LineLimits;
  }): Promise<TakeLineOutcome>;
  /**
   * How many calls of the account could get each line within a second, were they asked for now: places and starts that are free,
   * none past an open breaker, one past a half-open one. Takes nothing. Null: it is not known now.
   */
  free(input: {
    readonly accountId: AccountId;
    readonly lines: readonly LineLimits[];
  }): Promise<readonly number[] | null>;
  /**
   * Calls of this model get the line only while fewer than half as many calls as now have it, for this time; asked again, for that time from
   * then on. Each account may still have one call. Open calls go on. @returns how many calls that are
   */
  lower(input: { readonly line: LineName; readonly model: BreakerName; readonly forMs: number }): Promise<number>;
  /** Loads the lines of all open calls, as Postgres knew them after it had issued `token`. Once per generation. */
  restore(token: GateToken, lines: readonly TakenLines[]): Promise<'restored' | 'superseded'>;
}

/** A model that gets fewer calls for a time: its provider reported that its limits are near. */
export interface LoweredModel {
  readonly model: BreakerName;
  /** How many calls may have its line until then. */
  readonly places: number;
  /** By Redis's clock. */
  readonly untilMs: number;
}

export interface LinesReading {
  /** How many calls have each line, in the order of the question. */
  readonly inUse: readonly number[];
  readonly lowered: readonly LoweredModel[];
}

/** The state of lines, for people. */
export interface LineReader {
  /**
   * @param credentialIds whose lowered models to list
   * Null: it is not known now. Rejects when Redis does not answer in time.
   */
  read(input: {
    readonly lines: readonly LineName[];
    readonly credentialIds: readonly string[];
  }): Promise<LinesReading | null>;
}

/** The lines of an open call that was claimed with them, and those that it took since. */
export interface TakenLines {
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly accountId: AccountId;
  readonly lines: readonly LineName[];
}

/** The lines of calls in Postgres. */
export interface LineStore {
  /** Adds a line that the gate has given: fenced by the epoch and by the gate's token. Idempotent. */
  appendLine(
    input: FencingToken & { readonly line: LineName; readonly token: GateToken },
  ): Promise<FencedOutcome | { readonly kind: 'gate_stale' }>;
  /** The lines of all open calls that were claimed with lines. */
  takenLines(): Promise<readonly TakenLines[]>;
}
