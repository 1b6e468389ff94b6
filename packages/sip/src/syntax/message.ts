import type { CSeq } from './cseq.ts';
import { isTokenList, writtenHeaderName } from './header-names.ts';
import type { Headers } from './headers.ts';
import type { NameAddr } from './name-addr.ts';
import type { Via } from './via.ts';

/** A request to send. Content-Length is written from the body, never from the header fields. */
export interface SipRequest {
  readonly kind: 'request';
  readonly method: string;
  readonly uri: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface SipResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly phrase: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

/** The mandatory header fields of every message, parsed (RFC 3261 section 8.1.1). */
export interface Envelope {
  /** The topmost Via. */
  readonly via: Via;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly callId: string;
  readonly cseq: CSeq;
}

export type ReceivedRequest = SipRequest & Envelope;
export type ReceivedResponse = SipResponse & Envelope;
export type ReceivedMessage = ReceivedRequest | ReceivedResponse;

export const NO_BODY: Buffer = Buffer.alloc(0);

export function serializeMessage(message: SipMessage): Buffer {
  let head =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0\r\n`
      : `SIP/2.0 ${message.status} ${message.phrase}\r\n`;
  for (const [key, value] of joined(message.headers)) {
    if (key !== 'content-length') head += `${writtenHeaderName(key)}: ${value}\r\n`;
  }
  head += `Content-Length: ${message.body.length}\r\n\r\n`;
  return message.body.length === 0 ? Buffer.from(head) : Buffer.concat([Buffer.from(head), message.body]);
}

/**
 * Joins lists of tokens on one line each to save space in a datagram. Addresses stay on separate lines, as most peers
 * write them.
 */
function* joined(headers: Headers): Iterable<readonly [key: string, value: string]> {
  const written = new Set<string>();
  for (const [key, value] of headers) {
    if (!isTokenList(key)) yield [key, value];
    else if (!written.has(key)) yield [key, headers.all(key).join(', ')];
    written.add(key);
  }
}
