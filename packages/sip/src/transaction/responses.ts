import { Headers } from '../syntax/headers.ts';
import { NO_BODY, type ReceivedRequest, type SipResponse } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import { reasonPhrase } from './reason-phrases.ts';

export interface ResponseParts {
  /** Added to To where the request had no tag; 100 never carries it. */
  readonly toTag?: string;
  readonly headers?: Iterable<readonly [name: string, value: string]>;
  readonly body?: Buffer;
}

/** A response repeats the route back and what identifies the request (RFC 3261 section 8.2.6). */
export function createResponse(request: ReceivedRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const headers = new Headers();
  const repeat = (name: string) => {
    for (const value of request.headers.all(name)) headers.add(name, value);
  };
  repeat('via');
  // The route set of the dialog that this response creates (section 12.1.1).
  if (status > 100 && status < 300) repeat('record-route');
  repeat('from');
  const to = request.headers.get('to') ?? '';
  const needsTag = parts.toTag !== undefined && status > 100 && tagOf(request.to) === null;
  headers.add('to', needsTag ? `${to};tag=${parts.toTag}` : to);
  repeat('call-id');
  repeat('cseq');
  if (status === 100) repeat('timestamp');
  for (const [name, value] of parts.headers ?? []) headers.add(name, value);
  return { kind: 'response', status, phrase: reasonPhrase(status), headers, body: parts.body ?? NO_BODY };
}
