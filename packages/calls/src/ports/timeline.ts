import type { CallId, LiveTurn } from '@outdial/contracts';
import type { CallEvent } from './call-reader.ts';

/** How far a call's timeline has been read: `afterId` is the last event's id, `0` before the first. */
export interface TimelinePosition {
  readonly callId: CallId;
  readonly afterId: string;
}

/**
 * Reads timelines regardless of account: the caller has checked the access before. A later commit has the greater event
 * id within its call, so no event ever appears behind a position.
 */
export interface TimelineReader {
  /** In order; calls without new events are omitted. Each call occurs at most once in the input. */
  readAfter(positions: readonly TimelinePosition[]): Promise<ReadonlyMap<CallId, readonly CallEvent[]>>;
}

/**
 * Notifies followers that calls have changed. A hint: it may be lost, repeated or late, and is not awaited. The truth is
 * in Postgres.
 */
export interface ChangeSignals {
  readonly publish: (callIds: readonly CallId[]) => void;
}

/** How far the turns of a call have been read: `fromIndex` is the first that has not. */
export interface TurnPosition {
  readonly callId: CallId;
  readonly fromIndex: number;
}

/** Reads the stored turns of calls that have not ended, regardless of account. A turn is stored after all before it. */
export interface TurnReader {
  /** By index; calls without new turns are omitted. Each call occurs at most once in the input. */
  readFrom(positions: readonly TurnPosition[]): Promise<ReadonlyMap<CallId, readonly LiveTurn[]>>;
}

/**
 * Reports to followers what was said, as soon as it is. May be lost, and is not awaited: what was said is stored with the next
 * renewal of the call's lease.
 */
export interface TurnSignals {
  /** `turns`: consecutive, and usually all that are not stored yet. */
  readonly publish: (callId: CallId, turns: readonly LiveTurn[]) => void;
}
