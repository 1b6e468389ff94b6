import { RowRejected } from '@outdial/calls';
import { createBatcher, type Batcher, type BatchResult } from '@outdial/kernel';
import { isDataRefusal, isPassing, isUniqueViolation, sqlStateOf } from './sql-state.ts';

export interface GroupCommitOptions<Item, Result> {
  /** Runs one statement over all items, and answers one result per item, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** What an item writes to. One statement never carries the same key twice: an UPDATE would take only one of them. */
  readonly keyOf: (item: Item) => string;
  /** The most rows of one statement. */
  readonly maxRows?: number;
}

/** Above this a batch gains nothing more, and one slow statement delays too many. */
const MAX_ROWS = 128;
const ATTEMPTS = 5;

/**
 * One statement for all that came in while the last one was in flight. What Postgres refuses for its data fails alone,
 * as `RowRejected`; a deadlock is tried again; any other error leaves the outcome of the whole batch unknown.
 */
export function createGroupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>): Batcher<Item, Result> {
  const { run, keyOf, maxRows = MAX_ROWS } = options;

  async function attempt(items: readonly Item[], attemptsLeft = ATTEMPTS): Promise<readonly BatchResult<Result>[]> {
    try {
      const results = await run(items);
      return results.map((value) => ({ ok: true, value }));
    } catch (error) {
      const state = sqlStateOf(error);
      // What a single row collided with is committed by now, and the statement will see it.
      const mayPass = isPassing(state) || (isUniqueViolation(state) && items.length === 1);
      if (mayPass && attemptsLeft > 1) return attempt(items, attemptsLeft - 1);
      if (!isDataRefusal(state)) return items.map(() => ({ ok: false, error }));
      if (items.length === 1) return [{ ok: false, error: new RowRejected(error) }];
      // Halves, not single rows: one bad row among a hundred then costs fourteen statements.
      const middle = items.length >> 1;
      return [...(await attempt(items.slice(0, middle))), ...(await attempt(items.slice(middle)))];
    }
  }

  async function flush(items: readonly Item[]): Promise<readonly BatchResult<Result>[]> {
    const results = new Map<Item, BatchResult<Result>>();
    for (const round of roundsByKey(items, keyOf)) {
      const settled = await attempt(round);
      for (const [index, result] of settled.entries()) {
        const item = round[index];
        if (item !== undefined) results.set(item, result);
      }
    }
    return items.map((item) => results.get(item) ?? { ok: false, error: new Error('the statement gave no answer') });
  }

  // One statement at a time: planning is most of a small statement's cost, so fewer and larger ones carry more. It
  // also keeps the order of what is written to one key.
  return createBatcher({ flush, maxItems: maxRows, maxInFlight: 1 });
}

/** Splits items so that no part has a key twice, keeping the order of those that share one. */
function roundsByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  const rounds: Item[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    const round = seen.get(key) ?? 0;
    seen.set(key, round + 1);
    (rounds[round] ??= []).push(item);
  }
  return rounds;
}
