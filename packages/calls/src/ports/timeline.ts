import type { CallId } from '@outdial/contracts';
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
