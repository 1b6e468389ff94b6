import { suppressionChecksSchema, type E164, type suppressionCheckSchema } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { accountPath, request } from '../api/request.ts';
import { accountKey } from './queries.ts';

export type SuppressionCheck = z.output<typeof suppressionCheckSchema>;

/** The prefix of every query about do-not-call lists: a change of the list makes all of them stale. */
export const suppressionsKey = (accountId: string) => [...accountKey(accountId), 'suppressions'] as const;

/**
 * Whether a number is on a do-not-call list, and whose list that is. A number of null is not checked.
 * @param optOuts known to the caller: another one makes the answer stale.
 */
export const suppressionCheckQuery = (accountId: string, number: E164 | null, optOuts = 0) =>
  queryOptions({
    queryKey: [...suppressionsKey(accountId), 'check', number ?? '', optOuts],
    queryFn: ({ signal }) => checkNumber(accountId, number, signal),
    enabled: number !== null,
  });

async function checkNumber(
  accountId: string,
  number: E164 | null,
  signal: AbortSignal,
): Promise<SuppressionCheck | null> {
  const { results } = await request({
    method: 'POST',
    path: accountPath(accountId, 'suppressions', 'check'),
    body: { numbers: [number] },
    schema: suppressionChecksSchema,
    signal,
  });
  return results[0] ?? null;
}
