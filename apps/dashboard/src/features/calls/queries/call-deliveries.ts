import { callDeliveriesSchema } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { accountKey } from '../../../shared/account/queries.ts';
import { accountPath, request } from '../../../shared/api/request.ts';
import type { CallKey } from './call-query.ts';

/** What is sent changes by itself: the next try, its outcome. */
const REFRESH_MS = 5_000;

export const callDeliveriesQuery = ({ accountId, callId }: CallKey) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'webhooks', 'of-call', callId],
    queryFn: async ({ signal }) => {
      const path = accountPath(accountId, 'calls', callId, 'webhook-deliveries');
      return (await request({ path, schema: callDeliveriesSchema, signal })).deliveries;
    },
    refetchInterval: REFRESH_MS,
  });
