import type { ReceivedRequest, ReceivedResponse, SipResponse } from '../src/syntax/message.ts';
import { parseMessage } from '../src/syntax/parse-message.ts';
import type { ClientTransactionUser } from '../src/transaction/client-transaction.ts';
import type { Channel, SendFailure } from '../src/transport/transport.ts';
import { INVITE_LINES, wire } from './messages.ts';

export function requestOf(method: string): ReceivedRequest {
  const lines = INVITE_LINES.map((line) =>
    line.replace('INVITE sip', `${method} sip`).replace('7 INVITE', `7 ${method}`),
  );
  const parsed = parseMessage(wire(lines));
  if (parsed.kind !== 'request') throw new Error('the test request is not a request');
  return parsed.request;
}

export function responseTo(method: string, status: number, toTag = '2'): ReceivedResponse {
  const [, via, from, to, callId] = INVITE_LINES;
  const parsed = parseMessage(
    wire([`SIP/2.0 ${status} X`, via, from, `${to};tag=${toTag}`, callId, `CSeq: 7 ${method}`]),
  );
  if (parsed.kind !== 'response') throw new Error('the test response is not a response');
  return parsed.response;
}

/** A channel that only records the first line of what is sent. */
export function recordingChannel(reliable: boolean): {
  channel: Channel;
  sent: string[];
  fail: (failure: SendFailure | undefined) => void;
} {
  const sent: string[] = [];
  let outcome: SendFailure | undefined;
  const channel: Channel = {
    remote: { transport: reliable ? 'TCP' : 'UDP', address: '192.0.2.2', port: 5060 },
    local: { host: '192.0.2.1', port: 5060 },
    reliable,
    usable: true,
    isOnlyReturnPath: false,
    onClosed: () => () => undefined,
    send: (bytes, onDone) => {
      sent.push(bytes.toString().split(' ')[0] ?? '');
      onDone(outcome);
    },
  };
  return {
    channel,
    sent,
    fail: (failure) => {
      outcome = failure;
    },
  };
}

/** Records what a client transaction reports, in words. */
export function recordingUser(): { user: ClientTransactionUser; log: string[] } {
  const log: string[] = [];
  const user: ClientTransactionUser = {
    onResponse: ({ status }) => log.push(String(status)),
    onTimeout: () => log.push('timeout'),
    onTransportError: (_error, mayHaveLeft) => log.push(mayHaveLeft ? 'lost' : 'never sent'),
  };
  return { user, log };
}

/** Records the status codes of the responses that a server transaction sends. */
export function recordingSender(): { send: (response: SipResponse) => void; codes: number[] } {
  const codes: number[] = [];
  return { send: ({ status }) => codes.push(status), codes };
}
