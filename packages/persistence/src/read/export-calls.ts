import type { CallCursor, CallPage, ExportCalls } from '@outdial/calls';
import type { Database } from '../database.ts';
import { DETAILS, readCallPage } from './call-page.ts';

/** As many as fit into some milliseconds: other requests want their turn in between. */
const PAGE = 500;
const PAGE_BYTES = 1_000_000;

/**
 * Exports a page at a time, and only when the next one is asked for: no more is held than a page, and no transaction
 * between two of them. Calls that come in meanwhile are left out, as they are of any list.
 */
export function createExportCalls(database: Database): ExportCalls {
  return async function* exportCalls({ accountId, filter }) {
    let after: CallCursor | null = null;
    do {
      const input = { accountId, filter, after, limit: PAGE, maxBytes: PAGE_BYTES };
      const page: CallPage = await readCallPage(database, DETAILS.withoutTranscript, input);
      const last = page.calls.at(-1);
      after = last && page.hasMore ? { createdAtMs: last.createdAtMs, callId: last.id } : null;
      yield page;
    } while (after !== null);
  };
}
