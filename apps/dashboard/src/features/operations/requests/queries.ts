import { accountRequestEnvelopeSchema, operatedRequestListSchema } from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { queryString, request } from '../../../shared/api/request.ts';

const OPERATED_REQUESTS = ['operated-requests'] as const;
const COUNT_REFRESH_MS = 60_000;

export type RequestState = 'open' | 'done';

export const operatedRequestsQuery = (state: RequestState) =>
  infiniteQueryOptions({
    queryKey: [...OPERATED_REQUESTS, state],
    queryFn: ({ signal, pageParam }) =>
      request({
        path: `/operations/requests${queryString({ state, after: pageParam })}`,
        schema: operatedRequestListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_after: after }) => after,
  });

/** For the navigation. */
export const openRequestCountQuery = queryOptions({
  queryKey: [...OPERATED_REQUESTS, 'count'],
  queryFn: async ({ signal }) =>
    (await request({ path: '/operations/requests', schema: operatedRequestListSchema, signal })).open_count,
  refetchInterval: COUNT_REFRESH_MS,
});

export function useMarkDone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request({
        method: 'POST',
        path: `/operations/requests/${encodeURIComponent(id)}/done`,
        schema: accountRequestEnvelopeSchema,
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: OPERATED_REQUESTS }),
  });
}
