import { noticeListSchema } from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, request } from '../../shared/api/request.ts';

const NO_CONTENT = z.object({});
const REFRESH_MS = 60_000;

export const noticesQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'notices'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'notices'), schema: noticeListSchema, signal })).notices,
    refetchInterval: REFRESH_MS,
  });

export function useDismissNotice(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (noticeId: string) =>
      request({ method: 'POST', path: accountPath(accountId, 'notices', noticeId, 'dismiss'), schema: NO_CONTENT }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: noticesQuery(accountId).queryKey }),
  });
}
