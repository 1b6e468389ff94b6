import { readEnvelope } from './envelope.ts';
import { headerKey } from './header-names.ts';
import { Headers } from './headers.ts';
import { MAX_HEADER_FIELDS, MAX_HEAD_BYTES } from './limits.ts';
import type { ReceivedRequest, ReceivedResponse } from './message.ts';
import { parseStartLine } from './start-line.ts';

export type ParseOutcome =
  | { readonly kind: 'request'; readonly request: ReceivedRequest }
  | { readonly kind: 'response'; readonly response: ReceivedResponse }
  /** A request that cannot be served but can be answered with an error. */
  | { readonly kind: 'refused'; readonly request: ReceivedRequest; readonly status: 400 | 505; readonly reason: string }
  /** Not SIP, or too broken to answer. */
  | { readonly kind: 'malformed'; readonly reason: string };

const HEAD_END = Buffer.from('\r\n\r\n');
// oxlint-disable-next-line no-control-regex -- a lone line end or a NUL inside a field allows request smuggling
const STRAY_LINE_END = /[\r\n\0]/;

/**
 * Reads one whole message: a datagram, or a message cut from a stream (RFC 3261 section 7). Any input produces one of
 * the outcomes; nothing is thrown. A body shorter than Content-Length is rejected, a longer one is truncated (section
 * 18.3). Malformed optional header lines are ignored (section 8.2).
 */
export function parseMessage(bytes: Buffer): ParseOutcome {
  const start = firstByte(bytes);
  const end = bytes.indexOf(HEAD_END, start);
  if (end < 0) return malformed('there is no empty line after the header fields');
  if (end - start > MAX_HEAD_BYTES) return malformed(`the header fields are longer than ${MAX_HEAD_BYTES} bytes`);
  const lines = bytes
    .toString('utf8', start, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  if (lines.some((line) => STRAY_LINE_END.test(line))) return malformed('a line holds a stray CR, LF or NUL');
  const startLine = parseStartLine(lines.shift() ?? '');
  if (startLine === undefined) return malformed('the first line is neither a request nor a response');
  if (lines.length > MAX_HEADER_FIELDS) return malformed(`there are more than ${MAX_HEADER_FIELDS} header fields`);

  const headers = readHeaders(lines);
  const envelope = readEnvelope(headers);
  if (envelope.kind === 'missing') return malformed(`${envelope.name} is missing or cannot be read`);
  const after = bytes.subarray(end + HEAD_END.length);
  const length = contentLength(headers, after.length);
  const body = Buffer.from(after.subarray(0, length ?? 0));
  const message = { headers, body, ...envelope.envelope };

  if (startLine.kind === 'response') {
    if (length === undefined) return malformed('Content-Length does not fit the body');
    return { kind: 'response', response: { ...startLine, ...message } };
  }
  const { version, ...line } = startLine;
  const request: ReceivedRequest = { ...line, ...message };
  if (version !== '2.0') return { kind: 'refused', request, status: 505, reason: `SIP/${version} is not spoken here` };
  if (request.cseq.method !== request.method) return bad(request, 'CSeq names another method');
  if (length === undefined) return bad(request, 'Content-Length does not fit the body');
  return { kind: 'request', request };
}

function readHeaders(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd();
    if (/^[\w.!%*+`'~-]+$/.test(name)) headers.add(headerKey(name), line.slice(colon + 1).trim());
  }
  return headers;
}

/** The length of the body that counts; undefined when the header field is invalid or exceeds the available bytes. */
function contentLength(headers: Headers, available: number): number | undefined {
  const values = new Set(headers.all('content-length'));
  if (values.size === 0) return available;
  const [value = ''] = values;
  if (values.size > 1 || !/^\d{1,9}$/.test(value)) return undefined;
  return Number(value) > available ? undefined : Number(value);
}

/** Empty lines before a message are keep-alives, or left over from the previous one (RFC 3261 section 7.5). */
function firstByte(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) at += 2;
  return at;
}

function malformed(reason: string): ParseOutcome {
  return { kind: 'malformed', reason };
}

function bad(request: ReceivedRequest, reason: string): ParseOutcome {
  return { kind: 'refused', request, status: 400, reason };
}
