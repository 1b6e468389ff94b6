import type { AccountRoute } from '../../http/define-route.ts';
import { getMessageRoute, listDeliveriesRoute, resendRoute, sendTestRoute } from './deliveries.ts';
import {
  createEndpointRoute,
  deleteEndpointRoute,
  getEndpointRoute,
  listEndpointsRoute,
  updateEndpointRoute,
} from './endpoints.ts';
import { createListenerRoute, endListenerRoute, storeResultRoute, type ListenerDeps } from './listeners.ts';
import { cancelReplayRoute, createReplayRoute, getReplayRoute } from './replays.ts';
import { getPerCallSecretRoute, makePerCallSecretRoute, rotateSecretRoute } from './secrets.ts';
import { streamListenerRoute } from './stream-listener.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** The routes of webhooks, in the order of `webhookContracts`. */
export function webhookRoutes(deps: WebhookDeps & ListenerDeps): readonly AccountRoute[] {
  return [
    createEndpointRoute(deps),
    listEndpointsRoute(deps),
    getEndpointRoute(deps),
    updateEndpointRoute(deps),
    deleteEndpointRoute(deps),
    rotateSecretRoute(deps),
    sendTestRoute(deps),
    listDeliveriesRoute(deps),
    getMessageRoute(deps),
    resendRoute(deps),
    createReplayRoute(deps),
    getReplayRoute(deps),
    cancelReplayRoute(deps),
    getPerCallSecretRoute(deps),
    makePerCallSecretRoute(deps),
    createListenerRoute(deps),
    endListenerRoute(deps),
    streamListenerRoute(deps),
    storeResultRoute(deps),
  ];
}
