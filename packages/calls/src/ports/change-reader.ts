import type { AccountId } from '@outdial/contracts';
import type { Call } from '../call.ts';

/** A call whose timeline has grown, in its current state, without its transcript. */
export interface ChangedCall {
  readonly call: Call;
  /** The last event of its timeline: a call that is reported again with the same id has not changed. */
  readonly eventId: bigint;
}

export interface ChangeReading {
  /**
   * Identifies the history of events that ids belong to. It changes when Postgres fails over to a replica, which may never
   * have known what was read here.
   */
  readonly history: string;
  /** The last visible event. An event with a smaller id may still appear, if its id is above `commitHorizon`. */
  readonly lastId: bigint;
  /** No new event appears at or below this id. Null: not known yet; ask again. */
  readonly commitHorizon: bigint | null;
  /** The calls of these accounts whose timelines have grown since. Null: too many to list. */
  readonly changes: readonly ChangedCall[] | null;
}

/**
 * Reads what has changed among the calls of several accounts, in one statement for all of them.
 *
 * Across calls, ids do not rise in the order of commits: an event may appear behind others that were already read. So a
 * reader continues from `commitHorizon`, recognizes by `eventId` what it has already reported, and starts there again
 * after an interruption.
 */
export interface ChangeReader {
  /** `afterId` null: reads no changes, and only where things stand. */
  read(input: { readonly accountIds: readonly AccountId[]; readonly afterId: bigint | null }): Promise<ChangeReading>;
}
