import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './api-error.ts';
import { memberError } from './json-members.ts';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Parses the request's body as JSON, without duplicate names and without `__proto__`.
 * @throws ApiError `unsupported_media_type`, `body_too_large` or `invalid_request`.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  requireJson(request);
  const text = decode(await readBytes(request));
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

function requireJson({ headers }: IncomingMessage): void {
  const contentType = headers['content-type'];
  if (contentType !== 'application/json' && !isJsonInUtf8(contentType ?? '')) {
    throw unsupported('Content-Type', 'Send the body with Content-Type: application/json.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupported('Content-Encoding', 'Send the body without a Content-Encoding header.');
  }
}

/** RFC 8259 section 8.1: JSON between systems is UTF-8, so any other charset is an error. */
function isJsonInUtf8(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every(
    (parameter) => !/^\s*charset=/.test(parameter) || /^\s*charset="?utf-8"?\s*$/.test(parameter),
  );
}

function unsupported(param: string, publicMessage: string) {
  return new ApiError({ code: 'unsupported_media_type', publicMessage, param });
}

function tooLarge() {
  return new ApiError({
    code: 'body_too_large',
    publicMessage: `The body is larger than ${MAX_BODY_BYTES} bytes. Send a smaller one.`,
    param: 'body',
  });
}

function decode(bytes: Buffer): string {
  // toString() would replace invalid bytes with U+FFFD, and a text other than the client's would be stored.
  if (!isUtf8(bytes)) throw invalidRequest([{ param: 'body', message: 'is not valid UTF-8' }]);
  return bytes.toString('utf8');
}

/** Node drains the rest of a rejected body, so that the client receives the answer. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('close', () => {
      // Without this, a client that disconnects in the middle would leave the request waiting forever.
      if (!request.complete) reject(new RequestAborted());
    });
  });
}

/** The client disconnected before its request was complete, so no answer can be sent. */
export class RequestAborted extends Error {
  constructor() {
    super('the client disconnected');
    this.name = 'RequestAborted';
  }
}
