import { BRANCH_COOKIE } from '../identifiers.ts';
import type { ReceivedRequest, ReceivedResponse, SipRequest } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import { branchOf, parseVia } from '../syntax/via.ts';

/**
 * The key that a request and its responses share (RFC 3261 section 17.1.3): the branch, and CSeq's method because of
 * CANCEL.
 */
export function clientKey(message: SipRequest | ReceivedResponse): string {
  const via = 'via' in message ? message.via : parseVia(message.headers.get('via') ?? '');
  const method = message.kind === 'request' ? message.method : message.cseq.method;
  return `${via === undefined ? '' : branchOf(via)} ${method}`;
}

/**
 * The key that a request and its retransmissions share (RFC 3261 section 17.2.3): branch, sender and method. An RFC
 * 2543 peer has no unique branch, so all fields that identify its request replace it.
 */
export function serverKey(request: ReceivedRequest, method: string): string {
  const { via, callId, cseq, from, uri } = request;
  const branch = branchOf(via);
  const sender = `${via.host}:${via.port ?? ''}`;
  if (branch.startsWith(BRANCH_COOKIE)) return [branch, sender, method].join(' ');
  return [callId, cseq.number, tagOf(from) ?? '', uri, sender, method].join(' ');
}
