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

/** The body, described by its headers; null for a HEAD, and for an answer without a body. */
export interface StreamReply {
  readonly status: 200 | 202 | 204 | 206 | 304 | 308;
  readonly headers: ReplyHeaders;
  readonly stream: Readable | null;
  /** Text that may be long. An event stream is excluded: its events would wait in the compressor. */
  readonly isCompressible?: true;
}

/** Success without a body. */
export function noContent(headers: ReplyHeaders = {}): StreamReply {
  return { status: 204, headers: { 'Cache-Control': 'no-store', ...headers }, stream: null };
}

/** Where a page has moved to permanently. `location` is a path of this server. */
export function movedTo(location: `/${string}`): StreamReply {
  return { status: 308, headers: { Location: location, 'Content-Length': '0' }, stream: null };
}

/** A file held in memory. Its headers describe it. */
export interface FileReply {
  readonly status: 200;
  readonly headers: ReplyHeaders;
  readonly bytes: Uint8Array;
}

export type Reply = JsonReply | StreamReply | FileReply;

/** The headers of every answer, as alternating names and values. */
const COMMON = securityHeaders();
const POLICY = 'Content-Security-Policy';

/** The headers of a JSON answer, as alternating names and values. */
export function jsonHeaders(requestId: string, body: string | Buffer, own: ReplyHeaders | undefined): string[] {
  const headers = headersOf(requestId, own);
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  headers.push('Cache-Control', 'no-store');
  return headers;
}

function headersOf(requestId: string, own: ReplyHeaders | undefined): string[] {
  // A page has its own policy; browsers would enforce both.
  const headers = own && POLICY in own ? withoutPolicy() : [...COMMON];
  headers.push('X-Request-Id', requestId);
  if (own) for (const [name, value] of Object.entries(own)) headers.push(name, value);
  return headers;
}

function withoutPolicy(): string[] {
  const index = COMMON.findIndex((name) => name.toLowerCase() === POLICY.toLowerCase());
  return index < 0 ? [...COMMON] : COMMON.toSpliced(index, 2);
}

/** Writes head and body in one packet, without looking up or setting headers one by one. */
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

/** Always closes the stream in the end, so that what it holds open (a file, a place among the streams) is released. */
async function pour(stream: Readable, into: readonly NodeJS.WritableStream[]): Promise<void> {
  try {
    await pipeline([stream, ...into]);
  } finally {
    // For a client that has disconnected, `pipeline` of Node 24 reports it and leaves the stream open.
    stream.destroy();
  }
}
