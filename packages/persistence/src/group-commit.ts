import { RowRejected } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { createBatcher, type Batcher, type BatchResult } from '@outdial/kernel';
import { isDataRejection, isLockTimeout, isRetryable, isUniqueViolation, sqlStateOf } from './sql-state.ts';

/**
 * Receives the calls that a statement changed, after its COMMIT and before the writers have their results. Not awaited;
 * it must not throw, since the writes are stored.
 */
export type CommitHook = (callIds: readonly CallId[]) => void;

/**
 * Observes a statement before it is sent. @returns called once it has ended; undefined: it is not observed
 */
export type ObserveCommit = (statement: string, callIds: readonly CallId[]) => ((error: unknown) => void) | undefined;

/** How a store announces what it committed. */
export interface Announcing {
  /** Without it, nothing is announced. */
  readonly onCommitted?: CommitHook | undefined;
}

export interface GroupCommitOptions<Item, Result, Key extends string> {
  /** Runs one statement over all items, and returns one result per item, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The row that an item writes. A statement never carries a key twice: an UPDATE would apply only one of them. */
  readonly keyOf: (item: Item) => Key;
  /** The most rows of one statement. */
  readonly maxRows?: number;
  /**
   * Whether a statement that waits too long for a lock is tried again in halves: for items that lock rows of their accounts,
   * so that one account's locked row fails no other account's items.
   */
  readonly splitsOnLockTimeout?: boolean;
  /** Receives the keys of the items that changed something; see `isChange`. */
  readonly onCommitted?: ((keys: readonly Key[]) => void) | undefined;
  /** For traces. Called for each try. */
  readonly observe?: ((keys: readonly Key[]) => ((error: unknown) => void) | undefined) | undefined;
  /** Whether an item with this result changed what followers of its call see. Defaults to no. */
  readonly isChange?: (result: Result, item: Item) => boolean;
}

/** Above this a batch gains nothing more, and a slow statement delays too many items. */
const MAX_ROWS = 128;
const MAX_TRIES = 5;

/**
 * One statement for all items that arrived while the previous one was in flight. An item whose data Postgres rejects
 * fails alone, as `RowRejected`; a deadlock is retried; any other error leaves the outcome of the whole batch unknown.
 */
export function createGroupCommit<Item, Result, Key extends string>(
  options: GroupCommitOptions<Item, Result, Key>,
): Batcher<Item, Result> {
  const {
    run,
    keyOf,
    maxRows = MAX_ROWS,
    splitsOnLockTimeout = false,
    onCommitted,
    observe,
    isChange = () => false,
  } = options;

  function announce(items: readonly Item[], results: readonly Result[]): void {
    if (!onCommitted) return;
    const changed = items.filter((item, index) => {
      const result = results[index];
      return result !== undefined && isChange(result, item);
    });
    if (changed.length > 0) onCommitted(changed.map(keyOf));
  }

  async function send(items: readonly Item[], triesLeft = MAX_TRIES): Promise<readonly BatchResult<Result>[]> {
    const observed = observe?.(items.map(keyOf));
    try {
      const results = await run(items);
      observed?.(undefined);
      announce(items, results);
      return results.map((value) => ({ ok: true, value }));
    } catch (error) {
      observed?.(error);
      const state = sqlStateOf(error);
      // The row that caused a unique violation is committed by now, and the statement will see it.
      const mayPass = isRetryable(state) || (isUniqueViolation(state) && items.length === 1);
      if (mayPass && triesLeft > 1) return send(items, triesLeft - 1);
      const isLocked = splitsOnLockTimeout && isLockTimeout(state) && items.length > 1;
      if (!isDataRejection(state) && !isLocked) return items.map(() => ({ ok: false, error }));
      if (items.length === 1) return [{ ok: false, error: new RowRejected(error) }];
      // Halves, not single rows: one bad row among a hundred costs fourteen statements.
      const middle = items.length >> 1;
      return [...(await send(items.slice(0, middle))), ...(await send(items.slice(middle)))];
    }
  }

  async function flush(items: readonly Item[]): Promise<readonly BatchResult<Result>[]> {
    const results = new Map<Item, BatchResult<Result>>();
    for (const round of roundsByKey(items, keyOf)) {
      const settled = await send(round);
      for (const [index, result] of settled.entries()) {
        const item = round[index];
        if (item !== undefined) results.set(item, result);
      }
    }
    return items.map(
      (item) => results.get(item) ?? { ok: false, error: new Error('the statement returned no result') },
    );
  }

  // One statement at a time: planning dominates the cost of a small statement, so fewer and larger ones carry more. It
  // also keeps the order of the writes to a key.
  return createBatcher({ flush, maxItems: maxRows, maxInFlight: 1 });
}

/** Splits items into rounds without duplicate keys, keeping the order of items with one key. */
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
