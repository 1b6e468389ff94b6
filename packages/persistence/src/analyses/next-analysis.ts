import type { AnalysisStore, NextAnalysis } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import type { Database } from '../database.ts';

/** Sorts before every account. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The longest due analysis of the account whose turn it is: the next one after `after`, in the order of ids, and then from
 * the start. It goes from account to account by the index, so an account's backlog costs the others nothing.
 */
export function nextAnalysis({ side }: Database): AnalysisStore['next'] {
  const find = async (input: NextAnalysis) => {
    const [row] = await side.$queryRaw<{ callId: CallId }[]>(nextStatement(input));
    return row?.callId ?? null;
  };
  return async (input) => (await find(input)) ?? (input.after === null ? null : find({ ...input, after: null }));
}

/** `statement_timestamp`, because it may be the condition of an index. */
export function nextStatement({ after, except }: NextAnalysis): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE accounts AS (
      SELECT ${after ?? FIRST}::uuid AS id, false AS waits
      UNION ALL
      SELECT (
        SELECT m.analysis_account_id FROM model_calls m
        WHERE m.analysis_status = 'pending' AND m.analysis_account_id > a.id
        ORDER BY m.analysis_account_id LIMIT 1
      ), true
      FROM accounts a WHERE a.id IS NOT NULL
    )
    SELECT due.call_id AS "callId"
    FROM accounts a CROSS JOIN LATERAL (
      SELECT m.call_id FROM model_calls m
      WHERE m.analysis_status = 'pending' AND m.analysis_account_id = a.id
        AND m.analysis_due_at <= statement_timestamp()
      ORDER BY m.analysis_due_at LIMIT 1
    ) due
    WHERE a.waits AND NOT (a.id = ANY(${[...except]}::uuid[]))
    LIMIT 1`;
}
