import { Readable } from 'node:stream';
import type { CallPage, ExportCalls } from '@outdial/calls';
import { CSV_COLUMNS, exportCallsQuerySchema, type CallBody, type CsvColumn } from '@outdial/contracts';
import { presentCall } from '@outdial/presentation';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { filterOf } from '../../routes/list-calls/filter.ts';
import { BYTE_ORDER_MARK, csvLine, type CsvCell } from '../../http/csv.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/calls.csv',
  params: NO_PARAMS,
  query: exportCallsQuerySchema,
  body: NO_BODY,
  responses: {},
  errors: [],
});

export interface ExportCallsDeps {
  readonly exportCalls: ExportCalls;
  readonly heavyReads: HeavyReads;
  /** Whether the principal still has access. */
  readonly hasAccess: (principal: AccountPrincipal) => Promise<boolean>;
}

const HEADERS = {
  'Content-Type': 'text/csv; charset=utf-8; header=present',
  'Content-Disposition': 'attachment; filename="calls.csv"',
  'Cache-Control': 'no-store',
} as const;

/** The first page is read before the response begins, so that a failure until then is an error response. */
export function exportCallsRoute(deps: ExportCallsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, query, method }) => {
    const filter = filterOf(query);
    const pages = deps.exportCalls({ accountId: principal.account.id, filter })[Symbol.asyncIterator]();
    const first = await deps.heavyReads.read(principal.account.id, () => pages.next(), bytesOf);
    const stream = method === 'HEAD' ? null : Readable.from(linesOf(deps, principal, { first, pages }));
    return { status: 200, headers: HEADERS, stream, isCompressible: true };
  });
}

type Page = IteratorResult<CallPage, unknown>;

const bytesOf = ({ done, value }: Page): number => (done === true ? 0 : value.bytes);

/** Reads as fast as the client does. A failure aborts the response, so that the client does not mistake a part for the whole. */
async function* linesOf(
  { hasAccess, heavyReads }: ExportCallsDeps,
  principal: AccountPrincipal,
  { first, pages }: { readonly first: Page; readonly pages: AsyncIterator<CallPage> },
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${csvLine(CSV_COLUMNS)}`;
  const readNext = (): Promise<Page> => heavyReads.readPart(principal.account.id, () => pages.next(), bytesOf);
  for (let page = first; page.done !== true; page = await readNext()) {
    yield page.value.calls.map((call) => csvLine(cellsOf(presentCall(call)))).join('');
    // A slow client may take hours, and an export must end with its session.
    if (!(await hasAccess(principal))) throw new Error('the session has ended');
  }
}

const CELLS: Readonly<Record<CsvColumn, (call: CallBody) => CsvCell>> = {
  id: (call) => call.id,
  created_at: (call) => call.created_at,
  status: (call) => call.status,
  ended_reason: (call) => call.ended_reason,
  agent_id: (call) => call.agent_id,
  from_number: (call) => call.caller_number,
  to_number: (call) => call.callee_number,
  started_at: (call) => call.started_at,
  answered_at: (call) => call.answered_at,
  ended_at: (call) => call.ended_at,
  duration_seconds: (call) => call.duration_seconds,
  billable_seconds: (call) => call.billable_seconds,
  answered_by: (call) => call.answered_by,
  sip_code: (call) => call.sip_code,
  cost: (call) => call.cost,
  currency: (call) => call.currency,
  recording_status: (call) => call.recording_status,
  summary: (call) => call.summary,
  review_note: (call) => call.review_note,
  variables: (call) => JSON.stringify(call.variables),
  metadata: (call) => JSON.stringify(call.metadata),
};

function cellsOf(call: CallBody): readonly CsvCell[] {
  return CSV_COLUMNS.map((column) => CELLS[column](call));
}
