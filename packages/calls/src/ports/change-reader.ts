import type { AccountId } from '@outdial/contracts';
import type { Call } from '../call.ts';

/** A call whose timeline has grown, as it now is; without its transcript. */
export interface ChangedCall {
  readonly call: Call;
  /** The last event of its timeline: a call that is told again with the same has not changed. */
  readonly eventId: bigint;
}

export interface ChangeReading {
  /**
   * Names the course of events that ids belong to. It is another one after Postgres has gone over to a replica, which
   * may never have known what was read here.
   */
  readonly history: string;
  /** The last event that anybody can read. One with a smaller id may still turn up, if it is above `commitHorizon`. */
  readonly lastId: bigint;
  /** Up to here nothing turns up any more. Null: not known yet; ask again. */
  readonly commitHorizon: bigint | null;
  /** The calls of these accounts whose timelines have grown since. Null: too many to be told. */
  readonly changes: readonly ChangedCall[] | null;
}

/**
 * Reads what has changed among the calls of some accounts, in one statement for all of them.
 *
 * Across calls, ids do not rise in the order of commits: an event may turn up behind others that were read. So a reader
 * goes on from `commitHorizon`, knows by `eventId` what it has told since, and begins there again if it was interrupted.
 */
export interface ChangeReader {
  /** `afterId` null: reads no changes, and only where things stand. */
  read(input: { readonly accountIds: readonly AccountId[]; readonly afterId: bigint | null }): Promise<ChangeReading>;
}
