import { parseMessage } from '../syntax/parse-message.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import { formatVia, stampVia } from '../syntax/via.ts';
import type { SipLog } from './sip-log.ts';
import type { Channel, Inbound } from './transport.ts';

/**
 * Parses received bytes and passes the message on. Bytes that are not SIP are only logged. `replyChannel` returns the
 * channel for the response to a request, from its stamped Via.
 */
export function receiveBytes(
  bytes: Buffer,
  channel: Channel,
  { log, onInbound }: { readonly log: SipLog; readonly onInbound: (inbound: Inbound) => void },
  replyChannel: (request: ReceivedRequest) => Channel = () => channel,
): void {
  const { transport, address, port } = channel.remote;
  const entry = { transport, remote: `${address}:${port}`, text: bytes.toString('utf8') } as const;
  const parsed = parseMessage(bytes);
  switch (parsed.kind) {
    case 'malformed':
      log({ kind: 'discarded', ...entry, reason: parsed.reason });
      return;
    case 'response':
      log({ kind: 'received', ...entry });
      onInbound({ message: parsed.response, channel, refusal: null });
      return;
    case 'request':
    case 'refused': {
      log({ kind: 'received', ...entry });
      const request = stamped(parsed.request, channel);
      const refusal = parsed.kind === 'refused' ? { status: parsed.status, reason: parsed.reason } : null;
      onInbound({ message: request, channel: replyChannel(request), refusal });
    }
  }
}

/** Rewrites the topmost Via in the header fields too, because the response repeats it (RFC 3581 section 4). */
function stamped(request: ReceivedRequest, channel: Channel): ReceivedRequest {
  const { address, port } = channel.remote;
  const via = stampVia(request.via, { address, port });
  const [, ...others] = request.headers.all('via');
  const headers = request.headers.copy().remove('via');
  for (const value of [formatVia(via), ...others].toReversed()) headers.prepend('via', value);
  return { ...request, headers, via };
}
