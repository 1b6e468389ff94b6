import {
  evaluationEnvelopeSchema,
  evaluationListSchema,
  scenariosEnvelopeSchema,
  type EvaluationSummaryBody,
} from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { agentQuery } from '../../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../../shared/api/request.ts';

const LOOK_AGAIN_MS = 2_000;

export const isOpen = ({ status }: Pick<EvaluationSummaryBody, 'status'>): boolean =>
  status === 'waiting' || status === 'running';

const key = (accountId: string, agentId: string) => [...agentQuery(accountId, agentId).queryKey, 'evaluations'];

/** The evaluations of an agent, newest first, page by page. */
export const evaluationsQuery = (accountId: string, agentId: string) =>
  infiniteQueryOptions({
    queryKey: key(accountId, agentId),
    queryFn: ({ pageParam, signal }) =>
      request({
        path: `${accountPath(accountId, 'agents', agentId, 'evaluations')}${queryString({ cursor: pageParam ?? undefined })}`,
        schema: evaluationListSchema,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ evaluations }) => evaluations.some(isOpen)) === true ? LOOK_AGAIN_MS : false,
  });

/** One evaluation with its conversations. */
export const evaluationQuery = (accountId: string, agentId: string, evaluationId: string) =>
  queryOptions({
    queryKey: [...key(accountId, agentId), evaluationId],
    queryFn: async ({ signal }) =>
      (
        await request({
          path: accountPath(accountId, 'agents', agentId, 'evaluations', evaluationId),
          schema: evaluationEnvelopeSchema,
          signal,
        })
      ).evaluation,
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? LOOK_AGAIN_MS : false),
  });

/** Not refetched while the user edits. */
export const scenariosQuery = (accountId: string, agentId: string) =>
  queryOptions({
    queryKey: [...agentQuery(accountId, agentId).queryKey, 'scenarios'],
    queryFn: async ({ signal }) =>
      (
        await request({
          path: accountPath(accountId, 'agents', agentId, 'scenarios'),
          schema: scenariosEnvelopeSchema,
          signal,
        })
      ).scenarios,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export function useSaveScenarios(accountId: string, agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (scenarios: readonly object[]) =>
      request({
        method: 'PUT',
        path: accountPath(accountId, 'agents', agentId, 'scenarios'),
        body: { scenarios },
        schema: scenariosEnvelopeSchema,
      }),
    onSuccess: ({ scenarios }) => queryClient.setQueryData(scenariosQuery(accountId, agentId).queryKey, [...scenarios]),
  });
}

export function useRunEvaluation(accountId: string, agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: object) =>
      request({
        method: 'POST',
        path: accountPath(accountId, 'agents', agentId, 'evaluations'),
        body,
        schema: evaluationEnvelopeSchema,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key(accountId, agentId) }),
  });
}

export function useCancelEvaluation(accountId: string, agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (evaluationId: string) =>
      request({
        method: 'POST',
        path: accountPath(accountId, 'agents', agentId, 'evaluations', evaluationId, 'cancel'),
        schema: evaluationEnvelopeSchema,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key(accountId, agentId) }),
  });
}
