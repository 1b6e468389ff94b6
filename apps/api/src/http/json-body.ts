import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import readBody from 'raw-body';
import { ApiError, invalidRequest } from './api-error.ts';
import { memberError } from './json-members.ts';
import { requireMediaType } from './media-type.ts';

const MAX_BODY_BYTES = 64 * 1024;
const JSON_BODY = { mediaType: 'application/json', noun: 'body' } as const;

/**
 * Parses the request's body as JSON, without duplicate names and without `__proto__`.
 * @throws ApiError `unsupported_media_type`, `body_too_large` or `invalid_request`.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  requireMediaType(request, JSON_BODY);
  const text = decode(await readBytes(request, maxBytes));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const where = error instanceof SyntaxError ? (/at position \d+/.exec(error.message)?.[0] ?? '') : '';
    const message = `is not valid JSON${where && ` (${where})`}: send one JSON object`;
    throw invalidRequest([{ param: 'body', message }]);
  }
  const wrong = memberError(text);
  if (wrong) throw invalidRequest([wrong]);
  return value;
}

function tooLarge(maxBytes: number) {
  return new ApiError({
    code: 'body_too_large',
    publicMessage: `The body is larger than ${maxBytes} bytes. Send a smaller one.`,
    param: 'body',
  });
}

function decode(bytes: Buffer): string {
  // toString() would replace invalid bytes with U+FFFD, and a text other than the client's would be stored.
  if (!isUtf8(bytes)) throw invalidRequest([{ param: 'body', message: 'is not valid UTF-8' }]);
  return bytes.toString('utf8');
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    return await readBody(request, { limit: maxBytes, length: request.headers['content-length'] ?? null });
  } catch (error) {
    // Drain the rest of a rejected body, so that the client receives the answer.
    request.resume();
    if (isTooLarge(error)) throw tooLarge(maxBytes);
    // Without this, a client that disconnects before its body was read would be logged as a defect.
    throw request.complete && !request.destroyed ? error : new RequestAborted();
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

/** The client disconnected before its request was complete, so no answer can be sent. */
export class RequestAborted extends Error {
  constructor() {
    super('the client disconnected');
    this.name = 'RequestAborted';
  }
}
