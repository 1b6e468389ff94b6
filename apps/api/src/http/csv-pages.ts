import { Readable } from 'node:stream';
import { BYTE_ORDER_MARK, csvLine, type CsvCell } from './csv.ts';
import type { HeavyReads } from './heavy-reads.ts';
import type { AccountPrincipal } from './principal.ts';
import type { StreamReply } from './reply.ts';

export interface CsvPagesDeps {
  readonly heavyReads: HeavyReads;
  /** Whether the principal still has access. */
  readonly hasAccess: (principal: AccountPrincipal) => Promise<boolean>;
}

export interface CsvPages<Row> {
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly pageSize: number;
  /** The rows behind another; a page that is not full is the last. */
  readonly read: (after: Row | null) => Promise<readonly Row[]>;
  readonly cellsOf: (row: Row) => readonly CsvCell[];
}

/**
 * A download that is read page by page, as fast as the client takes it. The first page is read before the answer begins, so that a
 * failure until then is an error response; a later one aborts it, so that no part is mistaken for the whole.
 */
export async function csvReply<Row>(
  deps: CsvPagesDeps,
  { principal, method }: { readonly principal: AccountPrincipal; readonly method: string },
  pages: CsvPages<Row>,
): Promise<StreamReply> {
  const first = await deps.heavyReads.read(principal.account.id, () => pages.read(null));
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${pages.fileName}"`,
    'Cache-Control': 'no-store',
  };
  const stream = method === 'HEAD' ? null : Readable.from(linesOf(deps, principal, pages, first));
  return { status: 200, headers, stream, isCompressible: true };
}

async function* linesOf<Row>(
  { heavyReads, hasAccess }: CsvPagesDeps,
  principal: AccountPrincipal,
  { columns, pageSize, read, cellsOf }: CsvPages<Row>,
  first: readonly Row[],
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${csvLine(columns)}`;
  for (let page = first; page.length > 0;) {
    yield page.map((row) => csvLine(cellsOf(row))).join('');
    const last = page.at(-1);
    if (page.length < pageSize || last === undefined) return;
    // A slow client may take hours, and a download must end with its session.
    if (!(await hasAccess(principal))) throw new Error('the session has ended');
    page = await heavyReads.readPart(principal.account.id, () => read(last));
  }
}
