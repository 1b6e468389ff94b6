import { newBranch } from '../identifiers.ts';
import type { SipRequest } from '../syntax/message.ts';
import { serializeMessage } from '../syntax/message.ts';
import { NO_PARAMS } from '../syntax/params.ts';
import { formatSipUri } from '../syntax/uri.ts';
import { formatVia } from '../syntax/via.ts';
import type { Channel, Transport } from '../transport/transport.ts';

/** A longer datagram may be fragmented, and each fragment can be lost on its own (RFC 3261 section 18.1.1). */
const MAX_DATAGRAM_BYTES = 1_300;

/** A Via with a new branch. `rport` asks for the response at the source port (RFC 3581). */
function viaFor({ remote, local }: Channel): string {
  const params = new Map<string, string | null>([['branch', newBranch()]]);
  if (remote.transport === 'UDP') params.set('rport', null);
  return formatVia({ transport: remote.transport, host: local.host, port: local.port, params });
}

/**
 * The Contact at which the far end's requests reach us: `<sip:user@host:port>`, with the transport if it is not UDP.
 */
export function contactFor({ remote, local }: Channel, user: string | null): string {
  const { transport } = remote;
  const params = transport === 'UDP' ? NO_PARAMS : new Map([['transport', transport.toLowerCase()]]);
  return `<${formatSipUri({ scheme: 'sip', user, host: local.host, port: local.port, params })}>`;
}

/** Adds Via and, for a request that carries one, Contact for the channel that it uses. */
export function addressRequest(request: SipRequest, channel: Channel, contactUser: string | null): SipRequest {
  const headers = request.headers.copy().remove('via').prepend('via', viaFor(channel));
  if (headers.get('contact') !== undefined) headers.set('contact', contactFor(channel, contactUser));
  return { ...request, headers };
}

/**
 * Opens a stream to the same port for a request that is too long for a datagram. Undefined when the request fits, and
 * when the far end accepts no streams: then a long datagram is the only option.
 */
export async function openForSize(
  transport: Transport,
  channel: Channel,
  request: SipRequest,
): Promise<Channel | undefined> {
  if (channel.reliable || serializeMessage(request).length <= MAX_DATAGRAM_BYTES) return undefined;
  const { address, port } = channel.remote;
  return transport.open({ transport: 'TCP', address, port }).catch(() => undefined);
}
