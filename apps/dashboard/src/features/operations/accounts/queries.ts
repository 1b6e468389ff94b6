import {
  operatedAccountEnvelopeSchema,
  operatedAccountListSchema,
  type OperatedAccountBody,
  type updateOperatedAccountSchema,
} from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { queryString, request } from '../../../shared/api/request.ts';

/** The prefix of all operator queries about accounts. */
export const OPERATED_ACCOUNTS = ['operated-accounts'] as const;

const pathOf = (accountId: string) => `/operations/accounts/${encodeURIComponent(accountId)}`;

/** Newest first, page by page. */
export const operatedAccountsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...OPERATED_ACCOUNTS, 'list', search],
    queryFn: ({ signal, pageParam }) =>
      request({
        path: `/operations/accounts${queryString({ search, after: pageParam })}`,
        schema: operatedAccountListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_after: after }) => after,
    placeholderData: (before) => before,
  });

export const operatedAccountQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...OPERATED_ACCOUNTS, accountId],
    queryFn: async ({ signal }): Promise<OperatedAccountBody> =>
      (await request({ path: pathOf(accountId), schema: operatedAccountEnvelopeSchema, signal })).account,
  });

export function useUpdateAccount(accountId: string) {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: (body: z.input<typeof updateOperatedAccountSchema>) =>
      request({ method: 'PATCH', path: pathOf(accountId), body, schema: operatedAccountEnvelopeSchema }),
    onSuccess: refresh,
  });
}

export function useEnableAccount(accountId: string) {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      request({
        method: 'PUT',
        path: `${pathOf(accountId)}/enabled`,
        body: { enabled },
        schema: operatedAccountEnvelopeSchema,
      }),
    onSuccess: refresh,
  });
}

function useRefreshAccounts() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: OPERATED_ACCOUNTS });
}
