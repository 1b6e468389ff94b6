import { formatCSeq } from '../syntax/cseq.ts';
import { Headers } from '../syntax/headers.ts';
import { NO_BODY, type ReceivedResponse, type SipRequest } from '../syntax/message.ts';

/**
 * The ACK to a rejection belongs to the INVITE's transaction: same Via, Request-URI and Route (RFC 3261 section
 * 17.1.1.3).
 */
export function createRefusalAck(invite: SipRequest, refusal: ReceivedResponse): SipRequest {
  return derive(invite, 'ACK', refusal.headers.get('to'));
}

/** CANCEL repeats what identifies the INVITE, its branch above all (RFC 3261 section 9.1). */
export function createCancel(invite: SipRequest, reason?: string): SipRequest {
  const cancel = derive(invite, 'CANCEL', invite.headers.get('to'));
  if (reason !== undefined) cancel.headers.add('reason', reason);
  return cancel;
}

function derive(invite: SipRequest, method: 'ACK' | 'CANCEL', to: string | undefined): SipRequest {
  const number = Number.parseInt(invite.headers.get('cseq') ?? '0', 10);
  const headers = new Headers([
    ['via', invite.headers.get('via') ?? ''],
    ...invite.headers.all('route').map((route) => ['route', route] as const),
    ['max-forwards', '70'],
    ['from', invite.headers.get('from') ?? ''],
    ['to', to ?? ''],
    ['call-id', invite.headers.get('call-id') ?? ''],
    ['cseq', formatCSeq({ number, method })],
  ]);
  return { kind: 'request', method, uri: invite.uri, headers, body: NO_BODY };
}
