import type { Clock } from '@outdial/kernel';

/** What one statement saw, all of it in its one snapshot. */
export interface Snapshot {
  readonly history: string;
  /** The greatest id that is committed. */
  readonly lastId: bigint;
  /** Every transaction before this one has ended. */
  readonly oldestXid: bigint;
  /** No transaction had this one's number yet. */
  readonly nextXid: bigint;
}

/** Says up to which id nothing can turn up any more. */
export interface CommitHorizon {
  /** What is settled for whoever reads by the statement of this sighting. Null: not known yet. */
  see(sighting: Snapshot): bigint | null;
}

interface Mark {
  readonly lastId: bigint;
  readonly nextXid: bigint;
  readonly seenAtMs: number;
}

/** No statement of ours takes so long: its connection is destroyed before. Others, that do, hold nobody up for ever. */
const PATIENCE_MS = 10_000;

/**
 * An id is drawn by a transaction that has its number by then: it holds the lock of the call's row. Whoever drew an id
 * up to `lastId` therefore had a number below `nextXid` when that was seen; once `oldestXid` has come that far, all of
 * them have ended, and what they wrote can be read.
 */
export function createCommitHorizon(clock: Clock): CommitHorizon {
  let history: string | null = null;
  let settled: bigint | null = null;
  let marks: readonly Mark[] = [];

  return {
    see(sighting) {
      if (sighting.history !== history) {
        history = sighting.history;
        settled = null;
        marks = [];
      }
      const nowMs = clock.monotonicMs();
      const { lastId, nextXid, oldestXid } = sighting;
      const all = [...marks, { lastId, nextXid, seenAtMs: nowMs }];
      const isSettled = (mark: Mark) => mark.nextXid <= oldestXid || nowMs - mark.seenAtMs >= PATIENCE_MS;
      const last = all.findLast(isSettled);
      if (last && (settled === null || last.lastId > settled)) settled = last.lastId;
      marks = all.filter((mark) => !isSettled(mark));
      return settled;
    },
  };
}
