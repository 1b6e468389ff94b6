import type { LookupFunction } from 'node:net';
import { EgressError } from './egress-error.ts';
import { isInNetworks } from './address.ts';
import type { ResolveName } from './names/name-resolver.ts';
import { extraNetworks, isAllowedPort, mayConnect, type EgressPolicy } from './policy.ts';

export interface Destination {
  readonly secure: boolean;
  readonly port: number;
}

/** Why this address must not be connected to; undefined if it may. */
export function refusalOf(
  policy: EgressPolicy,
  address: string,
  { secure, port }: Destination,
): EgressError | undefined {
  const allowed =
    mayConnect(policy, address, secure) && (isAllowedPort(port) || isInNetworks(address, extraNetworks(policy)));
  if (allowed) return undefined;
  return new EgressError('address_not_allowed', 'the host is not on the public internet, or its port is not allowed');
}

/**
 * Resolves a name for a socket, and fails unless the policy permits every address of it. The socket connects to an
 * address that was checked here, without a second resolution, so an answer that changes in between has no effect.
 */
export function createGuardedLookup(
  resolve: ResolveName,
  policy: EgressPolicy,
  destination: Destination,
): LookupFunction {
  return (hostname, options, callback) => {
    const family = options.family === 4 || options.family === 6 ? options.family : ANY_FAMILY;
    resolve(hostname, { all: true, family }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined) return callback(noAddress(), '');
      for (const { address } of addresses) {
        const refusal = refusalOf(policy, address, destination);
        if (refusal !== undefined) return callback(refusal, '');
      }
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

const ANY_FAMILY = 0;
const noAddress = () => new EgressError('name_not_found', 'the name of the host has no address');
