import type { Headers } from '../syntax/headers.ts';
import { NO_BODY } from '../syntax/message.ts';
import { parseParams } from '../syntax/params.ts';

export const SDP_TYPE = 'application/sdp';
/** The value of Accept: a session description, alone or in a multipart body. */
export const ACCEPTED_TYPES = `${SDP_TYPE}, multipart/mixed`;

/** More parts than any gateway sends. */
const MAX_PARTS = 8;
/** RFC 2046 section 5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;
const CRLF = '\r\n';
const HEAD_END = '\r\n\r\n';

interface Content {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: Buffer;
}

/**
 * The session description of a message: its body, or the first part of that type in a multipart body (RFC 2046 section
 * 5.1, RFC 5621), where a gateway to the telephone network adds ISUP. Empty when there is none. A body of another type
 * is returned unchanged; the parser decides whether it is readable.
 */
export function sessionBodyOf({ headers, body }: Content): Buffer {
  const { type, params } = readType(headers.get('content-type'));
  if (!type.startsWith('multipart/')) return body;
  const boundary = params.get('boundary') ?? '';
  if (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) return NO_BODY;
  for (const part of partsOf(body, boundary)) {
    const content = contentOf(part);
    if (content.type === SDP_TYPE) return content.body;
  }
  return NO_BODY;
}

/** Whether a request has a body without a session description: reject with 415 (RFC 3261 section 8.2.3). */
export function hasForeignBody(content: Content): boolean {
  if (content.body.length === 0) return false;
  const { type } = readType(content.headers.get('content-type'));
  return type.startsWith('multipart/') ? sessionBodyOf(content).length === 0 : type !== SDP_TYPE;
}

function readType(value = SDP_TYPE) {
  const [type = '', ...params] = value.split(';');
  return { type: type.trim().toLowerCase(), params: parseParams(params.join(';')) };
}

/** The content between two delimiters, each at the beginning of a line. Ignores everything after an unclosed part. */
function partsOf(body: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1');
  const lines = Buffer.concat([Buffer.from(CRLF), body]);
  const parts: Buffer[] = [];
  let from = lines.indexOf(delimiter);
  while (from >= 0 && parts.length < MAX_PARTS) {
    const start = from + delimiter.length;
    const end = lines.indexOf(delimiter, start);
    const isLast = lines.subarray(start, start + 2).toString('latin1') === '--';
    if (end < 0 || isLast) break;
    parts.push(lines.subarray(start, end));
    from = end;
  }
  return parts;
}

/** A part starts with the rest of its delimiter's line, then optional header fields and an empty line. */
function contentOf(part: Buffer): { readonly type: string; readonly body: Buffer } {
  const end = part.indexOf(HEAD_END);
  if (end < 0) return { type: '', body: NO_BODY };
  const head = part.toString('latin1', 0, end);
  const type = /\r\n(?:content-type|c)[ \t]*:[ \t]*(?<type>[^\r\n;]+)/i.exec(head)?.groups?.['type'] ?? '';
  return { type: type.trim().toLowerCase(), body: part.subarray(end + HEAD_END.length) };
}
