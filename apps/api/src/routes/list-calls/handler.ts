import type { Call, CallCursor, CallReader } from '@outdial/calls';
import type { AccountId, ListCallsQuery } from '@outdial/contracts';
import { presentCall } from '@outdial/presentation';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { invalidRequest } from '../../http/api-error.ts';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import { listCallsContract } from './contract.ts';
import type { CursorSeal } from './cursor.ts';
import { filterOf } from './filter.ts';

export interface ListCallsDeps {
  readonly reader: Pick<CallReader, 'page'>;
  readonly cursors: CursorSeal;
  readonly heavyReads: HeavyReads;
}

/** A megabyte of calls, and a little for the JSON around them. */
const PAGE_BYTES = 1_000_000;

export function listCallsRoute(deps: ListCallsDeps): AccountRoute {
  return defineRoute(listCallsContract, async ({ principal, query }) => {
    const { calls, ...rest } = await readPage(deps, principal.account.id, query, 'whole');
    return { status: 200, body: { calls: calls.map(presentCall), ...rest } };
  });
}

interface Page {
  readonly calls: readonly Call[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A page of the account's calls and the position of the next one. @throws ApiError */
export async function readPage(
  { reader, cursors, heavyReads }: ListCallsDeps,
  accountId: AccountId,
  query: ListCallsQuery,
  detail: 'whole' | 'summary',
): Promise<Page> {
  const after = readCursor(cursors, accountId, query.cursor);
  const input = { accountId, filter: filterOf(query), after, limit: query.limit, maxBytes: PAGE_BYTES, detail };
  const { calls, hasMore } = await heavyReads.read(
    accountId,
    () => reader.page(input),
    ({ bytes }) => bytes,
  );
  const last = calls.at(-1);
  const next = hasMore && last ? cursors.write(accountId, { createdAtMs: last.createdAtMs, callId: last.id }) : null;
  return { calls, has_more: hasMore, next_cursor: next };
}

function readCursor(cursors: CursorSeal, accountId: AccountId, text: string | undefined): CallCursor | null {
  if (text === undefined) return null;
  const cursor = cursors.read(accountId, text);
  if (cursor !== null) return cursor;
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}
