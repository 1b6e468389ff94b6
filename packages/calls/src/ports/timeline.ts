import type { CallId } from '@outdial/contracts';
import type { CallEvent } from './call-reader.ts';

/** How far a call's timeline has been read: `afterId` is the last event's id, `0` before the first. */
export interface TimelinePosition {
  readonly callId: CallId;
  readonly afterId: string;
}

/**
 * Reads timelines on, whoever owns the calls: who may follow one was asked before. An event that is committed later has
 * the greater id within its call, so nothing ever appears behind a position.
 */
export interface TimelineReader {
  /** In order; calls without anything new are left out. No call twice. */
  readAfter(positions: readonly TimelinePosition[]): Promise<ReadonlyMap<CallId, readonly CallEvent[]>>;
}

/**
 * Tells whoever follows calls that one has changed. A hint: it may be lost, repeated or late, nobody waits for it, and
 * what is true stands in Postgres.
 */
export interface ChangeSignals {
  publish(callId: CallId): void;
}
