import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { securityHeaders } from './security-headers.ts';

export type ReplyHeaders = Readonly<Record<string, string>>;

export interface JsonReply<Status = number, Body = unknown> {
  readonly status: Status;
  readonly headers?: ReplyHeaders;
  readonly body: Body;
}

/** Bytes, which its headers tell of; null for a HEAD, and where there are none. */
export interface StreamReply {
  readonly status: 200 | 204 | 206;
  readonly headers: ReplyHeaders;
  readonly stream: Readable | null;
}

export type Reply = JsonReply | StreamReply;

/** What every answer carries, as names and values in turn. */
const COMMON = securityHeaders();

/** The headers of an answer in JSON, as names and values in turn. */
export function jsonHeaders(requestId: string, body: string, own: ReplyHeaders | undefined): string[] {
  const headers = headersOf(requestId, own);
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  headers.push('Cache-Control', 'no-store');
  return headers;
}

function headersOf(requestId: string, own: ReplyHeaders | undefined): string[] {
  const headers = [...COMMON, 'X-Request-Id', requestId];
  if (own) for (const [name, value] of Object.entries(own)) headers.push(name, value);
  return headers;
}

/** Writes the answer in one go: head and body in one packet, and no header looked up or set one by one. */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  reply: Reply,
): Promise<void> {
  if ('stream' in reply) {
    response.writeHead(reply.status, headersOf(requestId, reply.headers));
    if (reply.stream === null) response.end();
    else await pipeline(reply.stream, response);
    return;
  }
  const body = JSON.stringify(reply.body);
  response.writeHead(reply.status, jsonHeaders(requestId, body, reply.headers));
  response.end(request.method === 'HEAD' ? undefined : body);
}
