import type { Clock } from '@outdial/kernel';

/** What one statement saw in its snapshot. */
export interface Snapshot {
  readonly history: string;
  /** The greatest committed id. */
  readonly lastId: bigint;
  /** Every earlier transaction has ended. */
  readonly oldestXid: bigint;
  /** The first transaction number that was not assigned yet. */
  readonly nextXid: bigint;
}

/** Derives the id up to which every event is visible. */
export interface CommitHorizon {
  /** The horizon for readers of this snapshot's statement. Null: not known yet. */
  observe(snapshot: Snapshot): bigint | null;
}

interface Mark {
  readonly lastId: bigint;
  readonly nextXid: bigint;
  readonly seenAtMs: number;
}

/** Our statements are shorter: their connections are destroyed earlier. Longer transactions of others are not awaited. */
const PATIENCE_MS = 10_000;

/**
 * A transaction that draws an id has its number by then, because it locks the call's row first. So every transaction that
 * drew an id up to `lastId` has a number below the `nextXid` of that snapshot; once `oldestXid` reaches it, all of them
 * have ended and their events are visible.
 */
export function createCommitHorizon(clock: Clock): CommitHorizon {
  let history: string | null = null;
  let horizon: bigint | null = null;
  let marks: readonly Mark[] = [];

  return {
    observe(snapshot) {
      if (snapshot.history !== history) {
        history = snapshot.history;
        horizon = null;
        marks = [];
      }
      const nowMs = clock.monotonicMs();
      const { lastId, nextXid, oldestXid } = snapshot;
      const all = [...marks, { lastId, nextXid, seenAtMs: nowMs }];
      const hasEnded = (mark: Mark) => mark.nextXid <= oldestXid || nowMs - mark.seenAtMs >= PATIENCE_MS;
      const last = all.findLast(hasEnded);
      if (last && (horizon === null || last.lastId > horizon)) horizon = last.lastId;
      marks = all.filter((mark) => !hasEnded(mark));
      return horizon;
    },
  };
}
