export { checkUrl, type UrlCheck } from './check-url.ts';
export { createEgressClient, type EgressClient, type EgressRequest, type EgressResponse } from './egress-client.ts';
export { EgressError, type EgressErrorCode } from './egress-error.ts';
export { createEgressFetch, type EgressFetch } from './egress-fetch.ts';
export { createEgressSockets, type EgressSockets } from './egress-sockets.ts';
export { egressEnv, envEgressAllow, envEgressProxy } from './env.ts';
export type { Network } from './address.ts';
export type { EgressOptions } from './routes.ts';
export type { EgressPolicy, EgressScope } from './policy.ts';
