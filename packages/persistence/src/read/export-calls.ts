import type { CallCursor, CallPage, ExportCalls } from '@outdial/calls';
import type { Database } from '../database.ts';
import { DETAILS, readCallPage } from './call-page.ts';

/** A page takes some milliseconds, so that other requests run in between. */
const PAGE = 500;
const PAGE_BYTES = 1_000_000;

/**
 * Exports one page at a time, and only when the consumer asks for it: at most one page is in memory, and no transaction
 * stays open between pages. Calls that arrive during the export are left out, as in a list.
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
