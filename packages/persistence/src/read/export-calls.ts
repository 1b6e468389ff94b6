import type { Call, CallCursor, ExportCalls } from '@outdial/calls';
import { CALL_COLUMNS_WITHOUT_TRANSCRIPT, toCall, type CallRow } from '../call-row.ts';
import type { Database } from '../database.ts';
import { listStatement, type ListInput } from './list-calls.ts';

/** As many as fit into some milliseconds: other requests want their turn in between. */
const PAGE = 500;

/**
 * Exports a page at a time, and only when the next one is asked for: no more is held than a page, and no transaction
 * between two of them. Calls that come in meanwhile are left out, as they are of any list.
 */
export function createExportCalls(database: Database): ExportCalls {
  return async function* exportCalls({ accountId, filter }) {
    let after: CallCursor | null = null;
    do {
      const page: readonly Call[] = await readPage(database, { accountId, filter, after, limit: PAGE });
      const last = page.at(-1);
      after = last && page.length === PAGE ? { createdAtMs: last.createdAtMs, callId: last.id } : null;
      yield page;
    } while (after !== null);
  };
}

async function readPage({ side }: Database, input: ListInput): Promise<readonly Call[]> {
  const rows = await side.$queryRaw<CallRow[]>(listStatement(input, CALL_COLUMNS_WITHOUT_TRANSCRIPT));
  return rows.map(toCall);
}
