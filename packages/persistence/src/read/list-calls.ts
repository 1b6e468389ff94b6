import type { Call } from '@outdial/calls';
import { CALL_COLUMNS, toCall, type CallRow } from '../call-row.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { conditions, type ListInput } from './list-conditions.ts';
import { searchStatement } from './search-calls.ts';

/** The statement of `list`; every filter has an index in page order. */
export function listStatement(input: ListInput, columns = CALL_COLUMNS): Prisma.Sql {
  const { search } = input.filter;
  if (search !== undefined) return searchStatement(input, search, columns);
  return Prisma.sql`
    SELECT ${columns} FROM calls c WHERE ${conditions(input)}
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${input.limit}::int`;
}

export async function listCalls({ side }: Database, input: ListInput): Promise<readonly Call[]> {
  const rows = await side.$queryRaw<CallRow[]>(listStatement(input));
  return rows.map(toCall);
}
