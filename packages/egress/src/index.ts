export { checkUrl, type UrlCheck } from './check-url.ts';
export {
  createEgressClient,
  type EgressClient,
  type EgressClientOptions,
  type EgressRequest,
  type EgressResponse,
} from './egress-client.ts';
export { EgressError, type EgressErrorCode } from './egress-error.ts';
export { envEgressAllow, envEgressProxy } from './env.ts';
export type { Network } from './address.ts';
export type { EgressPolicy, EgressScope } from './policy.ts';
