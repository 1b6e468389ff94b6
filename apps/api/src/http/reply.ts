import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compressBody, GZIPPED, isWorthCompressing, openCompressor } from './compress.ts';
import { securityHeaders } from './security-headers.ts';

export type ReplyHeaders = Readonly<Record<string, string>>;

export interface JsonReply<Status = number, Body = unknown> {
  readonly status: Status;
  readonly headers?: ReplyHeaders;
  readonly body: Body;
}

/** Bytes, which its headers tell of; null for a HEAD, and where there are none. */
export interface StreamReply {
  readonly status: 200 | 204 | 206 | 304 | 308;
  readonly headers: ReplyHeaders;
  readonly stream: Readable | null;
  /** Text that may be long, and is no stream of events, which would wait in the compressor. */
  readonly isCompressible?: true;
}

/** That it is done, and there is nothing to say. */
export function noContent(headers: ReplyHeaders = {}): StreamReply {
  return { status: 204, headers: { 'Cache-Control': 'no-store', ...headers }, stream: null };
}

/** Where a page has moved to for good. `location` is a path of this server. */
export function movedTo(location: `/${string}`): StreamReply {
  return { status: 308, headers: { Location: location, 'Content-Length': '0' }, stream: null };
}

/** A file that is held in memory. Its headers say what it is. */
export interface FileReply {
  readonly status: 200;
  readonly headers: ReplyHeaders;
  readonly bytes: Uint8Array;
}

export type Reply = JsonReply | StreamReply | FileReply;

/** What every answer carries, as names and values in turn. */
const COMMON = securityHeaders();
const POLICY = 'Content-Security-Policy';

/** The headers of an answer in JSON, as names and values in turn. */
export function jsonHeaders(requestId: string, body: string | Buffer, own: ReplyHeaders | undefined): string[] {
  const headers = headersOf(requestId, own);
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  headers.push('Cache-Control', 'no-store');
  return headers;
}

function headersOf(requestId: string, own: ReplyHeaders | undefined): string[] {
  // A page has a policy of its own; of two, browsers would keep both.
  const headers = own && POLICY in own ? withoutPolicy() : [...COMMON];
  headers.push('X-Request-Id', requestId);
  if (own) for (const [name, value] of Object.entries(own)) headers.push(name, value);
  return headers;
}

function withoutPolicy(): string[] {
  const index = COMMON.findIndex((name) => name.toLowerCase() === POLICY.toLowerCase());
  return index < 0 ? [...COMMON] : COMMON.toSpliced(index, 2);
}

/** Writes the answer in one go: head and body in one packet, and no header looked up or set one by one. */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  reply: Reply,
): Promise<void> {
  if ('stream' in reply) {
    await sendStream(request, response, requestId, reply);
    return;
  }
  if ('bytes' in reply) {
    const length = { 'Content-Length': String(reply.bytes.length) };
    response.writeHead(reply.status, headersOf(requestId, { ...reply.headers, ...length }));
    response.end(request.method === 'HEAD' ? undefined : reply.bytes);
    return;
  }
  const body = JSON.stringify(reply.body);
  if (isWorthCompressing(request, body)) {
    const { bytes, headers } = await compressBody(request, body);
    response.writeHead(reply.status, [...jsonHeaders(requestId, bytes, reply.headers), ...headers]);
    response.end(bytes);
    return;
  }
  response.writeHead(reply.status, jsonHeaders(requestId, body, reply.headers));
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { status, headers, stream, isCompressible }: StreamReply,
): Promise<void> {
  const compressor = isCompressible && stream !== null ? openCompressor(request) : null;
  response.writeHead(status, [...headersOf(requestId, headers), ...(compressor === null ? [] : GZIPPED)]);
  if (stream === null) response.end();
  else await pour(stream, compressor === null ? [response] : [compressor, response]);
}

/** The stream is closed in the end whatever happens: what it holds open (a file, a place among streams) is let go. */
async function pour(stream: Readable, into: readonly NodeJS.WritableStream[]): Promise<void> {
  try {
    await pipeline([stream, ...into]);
  } finally {
    // Of a client that has gone already, `pipeline` of Node 24 says so and leaves the stream as it is.
    stream.destroy();
  }
}
