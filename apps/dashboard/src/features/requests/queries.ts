import { accountRequestEnvelopeSchema, accountRequestListSchema } from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, request } from '../../shared/api/request.ts';

export const requestsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'requests'],
    queryFn: ({ signal }) =>
      request({ path: accountPath(accountId, 'requests'), schema: accountRequestListSchema, signal }),
  });

export function useSendRequest(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (text: string) =>
      request({
        method: 'POST',
        path: accountPath(accountId, 'requests'),
        body: { text },
        schema: accountRequestEnvelopeSchema,
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: requestsQuery(accountId).queryKey }),
  });
}
