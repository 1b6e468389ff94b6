import type { CallPage } from '@outdial/calls';
import {
  CALL_COLUMNS,
  CALL_COLUMNS_WITHOUT_TRANSCRIPT,
  CALL_SUMMARY_COLUMNS,
  toCall,
  type CallRow,
} from '../call-row.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { listStatement } from './list-calls.ts';
import type { ListInput } from './list-conditions.ts';

export interface PageInput extends ListInput {
  readonly maxBytes: number;
}

/** The columns of a page's calls, and the size of a call as JSON in bytes. */
export interface PageDetail {
  readonly columns: Prisma.Sql;
  readonly bytes: Prisma.Sql;
}

/** Names, ids, times and amounts. */
const BASE_BYTES = 1_500;
const TEXT_BYTES = Prisma.sql`${BASE_BYTES}::int + COALESCE(octet_length(to_json(c.summary)::text), 0)
  + COALESCE(octet_length(to_json(c.review_note)::text), 0)`;
const GIVEN_BYTES = Prisma.sql`${TEXT_BYTES} + octet_length(c.variables::text) + octet_length(c.metadata::text)`;

export const DETAILS = {
  whole: {
    columns: CALL_COLUMNS,
    bytes: Prisma.sql`${GIVEN_BYTES} + COALESCE(octet_length(c.transcript::text), 0)
      + COALESCE((SELECT octet_length(m.turn_metrics::text) FROM model_calls m WHERE m.call_id = c.id), 0)`,
  },
  withoutTranscript: { columns: CALL_COLUMNS_WITHOUT_TRANSCRIPT, bytes: GIVEN_BYTES },
  summary: { columns: CALL_SUMMARY_COLUMNS, bytes: TEXT_BYTES },
} as const satisfies Readonly<Record<string, PageDetail>>;

/**
 * The statement of a page that ends at `maxBytes`. Postgres adds up the sizes and cuts the page, so that calls beyond it
 * are not sent. The stored size would be wrong, because repetitive text is compressed to a hundredth.
 */
export function pageStatement({ columns, bytes }: PageDetail, input: PageInput): Prisma.Sql {
  // One more call than is shown reveals whether there is another page, without a count.
  const rows = listStatement({ ...input, limit: input.limit + 1 }, Prisma.sql`c.*, ${bytes} AS page_bytes`);
  return Prisma.sql`
    SELECT ${columns}, c.found, c.running_bytes AS "runningBytes" FROM (
      SELECT c.*, (count(*) OVER ())::int AS found, (sum(c.page_bytes) OVER (
        ORDER BY c.created_at DESC, c.id DESC ROWS UNBOUNDED PRECEDING))::int AS running_bytes
      FROM (${rows}) c
    ) c
    WHERE c.running_bytes <= ${input.maxBytes}::int OR c.running_bytes = c.page_bytes
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${input.limit}::int`;
}

interface PageRow extends CallRow {
  readonly found: number;
  readonly runningBytes: number;
}

export async function readCallPage({ side }: Database, detail: PageDetail, input: PageInput): Promise<CallPage> {
  const rows = await side.$queryRaw<PageRow[]>(pageStatement(detail, input));
  const last = rows.at(-1);
  return {
    calls: rows.map(toCall),
    hasMore: last !== undefined && last.found > rows.length,
    bytes: last?.runningBytes ?? 0,
  };
}
