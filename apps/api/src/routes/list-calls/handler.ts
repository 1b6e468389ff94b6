import type { CallCursor, CallReader } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { invalidRequest } from '../../http/fault.ts';
import { presentCall } from '../../present/call.ts';
import { listCallsContract } from './contract.ts';
import type { CursorSeal } from './cursor.ts';
import { filterOf } from './filter.ts';

export interface ListCallsDeps {
  readonly reader: Pick<CallReader, 'list'>;
  readonly cursors: CursorSeal;
}

export function listCallsRoute({ reader, cursors }: ListCallsDeps): AccountRoute {
  return defineRoute(listCallsContract, async ({ principal, query }) => {
    const accountId = principal.account.id;
    const after = readCursor(cursors, accountId, query.cursor);
    // One more than is shown says whether there is another page, without counting.
    const found = await reader.list({ accountId, filter: filterOf(query), after, limit: query.limit + 1 });
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const hasMore = found.length > page.length;
    const next = hasMore && last ? cursors.write(accountId, { createdAtMs: last.createdAtMs, callId: last.id }) : null;
    return { status: 200, body: { calls: page.map(presentCall), has_more: hasMore, next_cursor: next } };
  });
}

function readCursor(cursors: CursorSeal, accountId: AccountId, text: string | undefined): CallCursor | null {
  if (text === undefined) return null;
  const cursor = cursors.read(accountId, text);
  if (cursor !== null) return cursor;
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}
