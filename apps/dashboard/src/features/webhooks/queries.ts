import {
  createdWebhookEndpointSchema,
  madePerCallWebhookSecretSchema,
  perCallWebhookSecretSchema,
  rotatedWebhookSecretSchema,
  webhookActivitySchema,
  webhookDeliveryEnvelopeSchema,
  webhookDeliveryListSchema,
  webhookEndpointEnvelopeSchema,
  webhookEndpointListSchema,
  webhookMessageDetailSchema,
  webhookMessageEnvelopeSchema,
  webhookReplayEnvelopeSchema,
  type createWebhookEndpointSchema,
  type createWebhookReplaySchema,
  type updateWebhookEndpointSchema,
} from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../shared/api/request.ts';
import type { DeliveriesSearch } from './search.ts';

const NO_CONTENT = z.object({});
const PAGE_DELIVERIES = 25;
/** What is sent changes by itself: the next try, its outcome. */
const REFRESH_MS = 3_000;

/** Hours change slowly, and the answer counts thousands of rows. */
const ACTIVITY_REFRESH_MS = 30_000;

const webhooksKey = (accountId: string) => [...accountKey(accountId), 'webhooks'];
const endpointPath = (accountId: string, ...parts: readonly string[]) =>
  accountPath(accountId, 'webhook-endpoints', ...parts);
const messagePath = (accountId: string, ...parts: readonly string[]) =>
  accountPath(accountId, 'webhook-messages', ...parts);

export const endpointsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(accountId), 'endpoints'],
    queryFn: async ({ signal }) =>
      (await request({ path: endpointPath(accountId), schema: webhookEndpointListSchema, signal })).endpoints,
    refetchInterval: REFRESH_MS,
  });

export const activityQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(accountId), 'activity'],
    queryFn: async ({ signal }) => {
      const path = accountPath(accountId, 'webhook-activity');
      return (await request({ path, schema: webhookActivitySchema, signal })).endpoints;
    },
    refetchInterval: ACTIVITY_REFRESH_MS,
  });

export const endpointQuery = (accountId: string, endpointId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(accountId), 'endpoint', endpointId],
    queryFn: async ({ signal }) => {
      const path = endpointPath(accountId, endpointId);
      return (await request({ path, schema: webhookEndpointEnvelopeSchema, signal })).endpoint;
    },
    refetchInterval: REFRESH_MS,
  });

type DeliveryFilters = Pick<DeliveriesSearch, 'state' | 'type'>;

export const deliveriesQuery = (accountId: string, endpointId: string, { state, type }: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey(accountId), 'deliveries', endpointId, state ?? '', type ?? ''],
    queryFn: ({ pageParam, signal }) => {
      const query = queryString({ state, type, cursor: pageParam, limit: PAGE_DELIVERIES });
      const path = `${endpointPath(accountId, endpointId, 'deliveries')}${query}`;
      return request({ path, schema: webhookDeliveryListSchema, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: REFRESH_MS,
  });

export const messageQuery = (accountId: string, messageId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(accountId), 'message', messageId],
    queryFn: ({ signal }) =>
      request({ path: messagePath(accountId, messageId), schema: webhookMessageDetailSchema, signal }),
    refetchInterval: REFRESH_MS,
  });

const perCallSecretPath = (accountId: string) => endpointPath(accountId, 'per-call', 'secret');

export const perCallSecretQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(accountId), 'per-call-secret'],
    queryFn: ({ signal }) =>
      request({ path: perCallSecretPath(accountId), schema: perCallWebhookSecretSchema, signal }),
  });

/** Reads everything about webhooks again after a change. A secret is dropped as soon as its dialog unmounts. */
function useWebhookMutation<Variables, Result>(
  accountId: string,
  mutationFn: (variables: Variables) => Promise<Result>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey(accountId) }),
    gcTime: 0,
  });
}

export const useCreateEndpoint = (accountId: string) =>
  useWebhookMutation(accountId, (body: z.input<typeof createWebhookEndpointSchema>) =>
    request({ method: 'POST', path: endpointPath(accountId), body, schema: createdWebhookEndpointSchema }),
  );

export const useUpdateEndpoint = (accountId: string, endpointId: string) =>
  useWebhookMutation(accountId, (body: z.input<typeof updateWebhookEndpointSchema>) => {
    const path = endpointPath(accountId, endpointId);
    return request({ method: 'PATCH', path, body, schema: webhookEndpointEnvelopeSchema });
  });

export const useDeleteEndpoint = (accountId: string, endpointId: string) =>
  useWebhookMutation(accountId, () =>
    request({ method: 'DELETE', path: endpointPath(accountId, endpointId), schema: NO_CONTENT }),
  );

export const useRotateSecret = (accountId: string, endpointId: string) =>
  useWebhookMutation(accountId, () => {
    const path = endpointPath(accountId, endpointId, 'rotate-secret');
    return request({ method: 'POST', path, body: {}, schema: rotatedWebhookSecretSchema });
  });

export const useMakePerCallSecret = (accountId: string) =>
  useWebhookMutation(accountId, () =>
    request({ method: 'POST', path: perCallSecretPath(accountId), schema: madePerCallWebhookSecretSchema }),
  );

export const useSendTest = (accountId: string, endpointId: string) =>
  useWebhookMutation(accountId, () => {
    const path = endpointPath(accountId, endpointId, 'test');
    return request({ method: 'POST', path, body: {}, schema: webhookMessageEnvelopeSchema });
  });

export const useReplay = (accountId: string, endpointId: string) =>
  useWebhookMutation(accountId, (body: z.input<typeof createWebhookReplaySchema>) => {
    const path = endpointPath(accountId, endpointId, 'replays');
    return request({ method: 'POST', path, body, schema: webhookReplayEnvelopeSchema });
  });

export const useResend = (accountId: string, endpointId: string) =>
  useWebhookMutation(accountId, (messageId: string) => {
    const path = messagePath(accountId, messageId, 'resend');
    return request({ method: 'POST', path, body: { endpoint_id: endpointId }, schema: webhookDeliveryEnvelopeSchema });
  });
