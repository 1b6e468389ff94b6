import { createEgressSockets, envEgressAllow, type EgressSockets } from '@outdial/egress';

/** Connections to servers of a test alone. */
export function loopbackSockets(ca?: string): EgressSockets {
  const allowed = envEgressAllow.parse('127.0.0.0/8,::1');
  return createEgressSockets({ allowed, proxy: null, ...(ca === undefined ? {} : { ca }) });
}
