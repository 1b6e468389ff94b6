import { ledgerPageSchema, spendSchema } from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../shared/api/request.ts';

const PAGE_ENTRIES = 25;

/** Newest first, page by page. */
export const ledgerQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: [...accountKey(accountId), 'ledger'],
    queryFn: ({ pageParam, signal }) =>
      request({
        path: `${accountPath(accountId, 'account', 'ledger')}${queryString({ cursor: pageParam, limit: PAGE_ENTRIES })}`,
        schema: ledgerPageSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const spendQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'spend'],
    queryFn: ({ signal }) => request({ path: accountPath(accountId, 'spend'), schema: spendSchema, signal }),
    staleTime: 60_000,
  });
