import type { Headers } from '../syntax/headers.ts';
import { NO_BODY } from '../syntax/message.ts';
import { parseParams } from '../syntax/params.ts';

export const SDP_TYPE = 'application/sdp';
/** What an Accept header field says: a description alone, or beside something else. */
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
 * The session description that a message carries: its body, or of a multipart body (RFC 2046 section 5.1, RFC 5621) the
 * first part of that type. A gateway to the telephone network puts ISUP beside it. Empty when there is none. A body of
 * another type is returned as it is: whether it can be read shows when it is.
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

/** Whether a request has a body that holds no session description: to be refused with 415 (RFC 3261 section 8.2.3). */
export function hasForeignBody(content: Content): boolean {
  if (content.body.length === 0) return false;
  const { type } = readType(content.headers.get('content-type'));
  return type.startsWith('multipart/') ? sessionBodyOf(content).length === 0 : type !== SDP_TYPE;
}

function readType(value = SDP_TYPE) {
  const [type = '', ...params] = value.split(';');
  return { type: type.trim().toLowerCase(), params: parseParams(params.join(';')) };
}

/** What lies between two delimiters, each at the beginning of a line. What follows an unclosed part is not looked at. */
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

/** A part begins with the rest of its delimiter's line, then its header fields, if any, and an empty line. */
function contentOf(part: Buffer): { readonly type: string; readonly body: Buffer } {
  const end = part.indexOf(HEAD_END);
  if (end < 0) return { type: '', body: NO_BODY };
  const head = part.toString('latin1', 0, end);
  const type = /\r\n(?:content-type|c)[ \t]*:[ \t]*(?<type>[^\r\n;]+)/i.exec(head)?.groups?.['type'] ?? '';
  return { type: type.trim().toLowerCase(), body: part.subarray(end + HEAD_END.length) };
}
