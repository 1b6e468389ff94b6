import * as deliveries from './delivery-contracts.ts';
import * as endpoints from './endpoint-contracts.ts';
import * as listeners from './listener-contracts.ts';
import * as replays from './replay-contracts.ts';
import * as secrets from './secret-contracts.ts';

/** For the reference, which is written without a service. */
export const webhookContracts = [
  endpoints.createEndpointContract,
  endpoints.listEndpointsContract,
  endpoints.getEndpointContract,
  endpoints.updateEndpointContract,
  endpoints.deleteEndpointContract,
  secrets.rotateSecretContract,
  deliveries.sendTestContract,
  deliveries.listDeliveriesContract,
  deliveries.getMessageContract,
  deliveries.resendContract,
  replays.createReplayContract,
  replays.getReplayContract,
  replays.cancelReplayContract,
  secrets.getPerCallSecretContract,
  secrets.makePerCallSecretContract,
  listeners.createListenerContract,
  listeners.endListenerContract,
  listeners.streamListenerContract,
  listeners.storeResultContract,
];
