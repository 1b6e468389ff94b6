import { CALL_STATUSES, type ChangedCall } from '@outdial/contracts';
import { matchesFilters, type CallFilters } from './call-filters.ts';

/** A call's place in the order of the list. It never changes. */
type Position = Pick<ChangedCall, 'created_at' | 'id'>;

/** The calls that were read so far in their current state, newest first. */
export interface CallList {
  readonly calls: readonly ChangedCall[];
  /** The last call of the last page; it may have left the list since. Null: there are no more pages. */
  readonly readTo: Position | null;
  readonly nextCursor: string | null;
  /** The number of calls from pages; the others came from the stream. */
  readonly loadedCalls: number;
}

export interface CallPage {
  readonly calls: readonly ChangedCall[];
  readonly next_cursor: string | null;
}

/** Changed calls by id. */
export type Changes = ReadonlyMap<string, ChangedCall>;

export const EMPTY_LIST: CallList = { calls: [], readTo: null, nextCursor: null, loadedCalls: 0 };

/** Adds the next page. `since` has the changes after its request, which the page may lack. */
export function appendPage(list: CallList, page: CallPage, since: Changes, filters: CallFilters): CallList {
  const last = page.calls.at(-1);
  const extended: CallList = {
    calls: [...list.calls, ...page.calls],
    readTo: page.next_cursor === null || last === undefined ? null : { created_at: last.created_at, id: last.id },
    nextCursor: page.next_cursor,
    loadedCalls: list.loadedCalls + page.calls.length,
  };
  return applyChanges(extended, since, filters);
}

/** The list after these changes. Unchanged calls keep their identity, so that their rows do not render again. */
export function applyChanges(list: CallList, changes: Changes, filters: CallFilters): CallList {
  const calls = [...list.calls];
  let isChanged = false;
  for (const call of changes.values()) {
    const index = indexOf(calls, call);
    const known = calls[index];
    const isKnown = known?.id === call.id;
    if (isKnown && isOlder(call, known)) continue;
    if (!matchesFilters(call, filters)) {
      if (!isKnown) continue;
      calls.splice(index, 1);
    } else if (isKnown) {
      calls[index] = call;
    } else {
      // Beyond the pages that were read: a later page brings it.
      if (list.readTo !== null && comparePositions(call, list.readTo) > 0) continue;
      calls.splice(index, 0, call);
    }
    isChanged = true;
  }
  return isChanged ? { ...list, calls } : list;
}

/** The number of calls that are newer than this position. */
export function countNewer(calls: readonly ChangedCall[], position: Position): number {
  return indexOf(calls, position);
}

/** The index of the call, or the index to insert it at. */
function indexOf(calls: readonly ChangedCall[], position: Position): number {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const call = calls[middle];
    if (call !== undefined && comparePositions(call, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Newest first, then the greater id, as in the API's pages. Comparing text works because all timestamps have one
 * format.
 */
function comparePositions(one: Position, other: Position): number {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id > other.id ? -1 : 1;
}

/** A status only moves forward, so an earlier one comes from an older page or a repeated change. */
function isOlder(call: ChangedCall, known: ChangedCall): boolean {
  return CALL_STATUSES.indexOf(call.status) < CALL_STATUSES.indexOf(known.status);
}
