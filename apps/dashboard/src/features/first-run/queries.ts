import { firstRunEnvelopeSchema } from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, request } from '../../shared/api/request.ts';

/** Another member, the operator or an API key may complete a step: the list updates without a reload. */
const REFRESH_MS = 5_000;

export const firstRunQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'first-run'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'first-run'), schema: firstRunEnvelopeSchema, signal })).first_run,
    refetchOnMount: 'always',
    // Stop polling once every step is done or the list is dismissed.
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.dismissed || Object.values(data.steps).every(Boolean) ? false : REFRESH_MS,
  });

export function useDismissFirstRun(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (
        await request({
          method: 'PUT',
          path: accountPath(accountId, 'first-run'),
          body: { dismissed: true },
          schema: firstRunEnvelopeSchema,
        })
      ).first_run,
    onSuccess: (firstRun) => queryClient.setQueryData(firstRunQuery(accountId).queryKey, firstRun),
  });
}
