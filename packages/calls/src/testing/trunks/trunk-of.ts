import { trunkNameSchema } from '@outdial/contracts';
import type { Trunk } from '../../trunk.ts';

/** A working trunk; each test overrides what it is about. */
export function trunkOf({
  name = 'main',
  ...changes
}: Partial<Omit<Trunk, 'name'>> & { readonly name?: string }): Trunk {
  return {
    name: trunkNameSchema.parse(name),
    uri: 'sip:trunk.example',
    transport: 'udp',
    outboundProxy: null,
    credentials: null,
    channels: 10,
    callsPerSecond: 5,
    callerId: { prefixes: [], asserted: false },
    numberFormat: 'e164',
    codecs: ['PCMU', 'PCMA'],
    priority: 10,
    weight: 10,
    enabled: true,
    healthCheck: 'options',
    mediaSource: 'sdp_host',
    transfers: 'none',
    ...changes,
  };
}
