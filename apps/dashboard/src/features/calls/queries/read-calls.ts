import { callSummaryListSchema } from '@outdial/contracts';
import { accountKey } from '../../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../../shared/api/request.ts';
import { filterParams, type CallFilters } from '../model/call-filters.ts';
import { appendPage, applyChanges, EMPTY_LIST, type CallList, type CallPage } from '../model/call-list.ts';
import type { ChangeRecorder } from '../model/change-recorder.ts';

export const PAGE_CALLS = 50;
/** The most calls to read again on a refresh. */
const MAX_REFRESH_CALLS = 500;
const MAX_PAGE_CALLS = 100;
const NO_CHANGES = new Map<string, never>();

export const callListKey = (accountId: string, filters: CallFilters) => [
  ...accountKey(accountId),
  'calls',
  'list',
  filterParams(filters).toString(),
];

interface PageInput {
  readonly accountId: string;
  readonly filters: CallFilters;
  readonly cursor: string | null;
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

export function readPage({ accountId, filters, cursor, limit = PAGE_CALLS, signal }: PageInput): Promise<CallPage> {
  const query = queryString({ ...Object.fromEntries(filterParams(filters)), limit, cursor: cursor ?? undefined });
  const path = `${accountPath(accountId, 'calls')}${query}`;
  return request({ path, schema: callSummaryListSchema, signal });
}

/** The newest `wanted` calls, including changes that arrived while they were read. */
export async function readCalls(input: {
  readonly accountId: string;
  readonly filters: CallFilters;
  readonly wanted: number;
  readonly recorder: ChangeRecorder;
  readonly signal: AbortSignal;
}): Promise<CallList> {
  const { accountId, filters, recorder, signal } = input;
  const wanted = Math.min(input.wanted, MAX_REFRESH_CALLS);
  const limit = Math.min(wanted, MAX_PAGE_CALLS);
  const { value, changes } = await recorder.during(async () => {
    let list = EMPTY_LIST;
    do {
      const page = await readPage({ accountId, filters, cursor: list.nextCursor, limit, signal });
      list = appendPage(list, page, NO_CHANGES, filters);
    } while (list.nextCursor !== null && list.calls.length < wanted);
    return list;
  });
  return applyChanges(value, changes, filters);
}

/** The URL of the same calls as CSV. */
export function csvHref(accountId: string, filters: CallFilters): string {
  const query = queryString(Object.fromEntries(filterParams(filters)));
  return `/api/dashboard${accountPath(accountId, 'calls.csv')}${query}`;
}
