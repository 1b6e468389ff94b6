import { doneSchema, operationsEnvelopeSchema, toppedUpSchema, type OperationsBody } from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../shared/api/request.ts';
import { OPERATED_ACCOUNTS } from './accounts/queries.ts';

/** While the page is visible; a hidden page does not poll. */
const REFRESH_MS = 2_000;

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async ({ signal }): Promise<OperationsBody> =>
    (await request({ path: '/operations', schema: operationsEnvelopeSchema, signal })).operations,
  refetchInterval: REFRESH_MS,
});

export function useSetDialing() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (paused: boolean) =>
      request({ method: 'PUT', path: '/operations/dialling', body: { paused }, schema: doneSchema }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: operationsQuery.queryKey }),
  });
}

export function useSetDraining() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ workerId, draining }: { readonly workerId: string; readonly draining: boolean }) =>
      request({
        method: 'PATCH',
        path: `/operations/workers/${encodeURIComponent(workerId)}`,
        body: { draining },
        schema: doneSchema,
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: operationsQuery.queryKey }),
  });
}

interface TopUp {
  readonly accountId: string;
  readonly amount: string;
  readonly idempotencyKey: string;
}

export function useTopUp() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ accountId, amount, idempotencyKey }: TopUp) =>
      request({
        method: 'POST',
        path: `/operations/accounts/${encodeURIComponent(accountId)}/top-ups`,
        body: { amount, idempotency_key: idempotencyKey },
        schema: toppedUpSchema,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: OPERATED_ACCOUNTS }),
  });
}
