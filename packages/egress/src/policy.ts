import { isInNetworks, isPublicAddress, type Network } from './address.ts';

/**
 * Where requests may go. `internet`: to public addresses, over TLS. `allow_list`: also to the networks that the operator
 * named in `OUTDIAL_EGRESS_ALLOW`, with or without TLS.
 */
export type EgressScope = 'internet' | 'allow_list';

export interface EgressPolicy {
  readonly scope: EgressScope;
  readonly allowed: readonly Network[];
}

/** The networks that a policy adds to the public internet. */
export function extraNetworks({ scope, allowed }: EgressPolicy): readonly Network[] {
  return scope === 'allow_list' ? allowed : [];
}

export const HTTPS_PORT = 443;
export const FIRST_UNPRIVILEGED_PORT = 1_024;

/** On the internet, privileged ports belong to services that were never meant for HTTP, such as SMTP. */
export function isAllowedPort(port: number): boolean {
  return port === HTTPS_PORT || port >= FIRST_UNPRIVILEGED_PORT;
}

/** Whether a request may use this address. The port of a public address is checked by the caller. */
export function mayConnect(policy: EgressPolicy, address: string, secure: boolean): boolean {
  return isInNetworks(address, extraNetworks(policy)) || (secure && isPublicAddress(address));
}
