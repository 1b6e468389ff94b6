import type { IncomingMessage } from 'node:http';
import { invalidParams } from '@outdial/contracts';
import { z } from 'zod';
import { ApiError, invalidRequest } from './api-error.ts';
import { readJsonBody, RequestAborted } from './json-body.ts';
import { isMediaType, requireMediaType } from './media-type.ts';
import { takeOwnTime } from './slow-uploads.ts';

interface File {
  /** The media type, such as `text/csv`. */
  readonly mediaType: string;
  readonly maxBytes: number;
}

export interface FileBody<Value> extends File {
  /** Reads the file as a stream, so that memory never holds the whole. */
  readonly read: (chunks: AsyncIterable<Uint8Array>) => Promise<Value>;
}

type ReadBody = (request: IncomingMessage) => Promise<unknown>;

/** The readers of file bodies. Every other body is JSON. */
const readers = new WeakMap<z.ZodType, ReadBody>();

/** Declares a contract's `body` as a file: the handler receives what `read` returned. */
export function fileBody<Value>(file: FileBody<Value>): z.ZodType<Value> {
  const schema = z.custom<Value>();
  readers.set(schema, (request) => readFileBody(request, file));
  return schema;
}

/**
 * Declares a contract's `body` as a file that the handler reads itself, while it arrives. It may take longer than other
 * requests: it ends when no byte arrives for a while.
 */
export function uploadBody(file: File): z.ZodType<AsyncIterable<Uint8Array>> {
  const schema = z.custom<AsyncIterable<Uint8Array>>();
  readers.set(schema, async (request) => {
    requireFile(request, file);
    return upload(request, file);
  });
  return schema;
}

/** What a body of either kind is read as. */
export type JsonOrUpload<Json> =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'upload'; readonly chunks: AsyncIterable<Uint8Array> };

/** Declares a body that is JSON or a file, by its media type. The handler reads the file itself, as in `uploadBody`. */
export function jsonOrUploadBody<Json extends z.ZodType>(
  json: Json,
  { maxJsonBytes, ...file }: File & { readonly maxJsonBytes: number },
): z.ZodType<JsonOrUpload<z.output<Json>>> {
  const schema = z.custom<JsonOrUpload<z.output<Json>>>();
  readers.set(schema, async (request) => {
    if (isMediaType(request, file.mediaType)) {
      requireFile(request, file);
      return { kind: 'upload', chunks: upload(request, file) };
    }
    const value = await readJsonBody(request, maxJsonBytes);
    const parsed = json.safeParse(value);
    if (!parsed.success) throw invalidRequest(invalidParams(parsed.error, value));
    return { kind: 'json', value: parsed.data };
  });
  return schema;
}

export function fileReaderOf(schema: z.ZodType): ReadBody | undefined {
  return readers.get(schema);
}

/** @throws ApiError `unsupported_media_type` or `body_too_large`. */
async function readFileBody<Value>(request: IncomingMessage, file: FileBody<Value>): Promise<Value> {
  requireFile(request, file);
  try {
    return await file.read(bounded(request, file.maxBytes));
  } finally {
    // Drain the rest of a rejected file, so that the client receives the answer.
    request.resume();
  }
}

function requireFile(request: IncomingMessage, { mediaType, maxBytes }: File): void {
  requireMediaType(request, { mediaType, noun: 'file' });
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

async function* upload(request: IncomingMessage, { maxBytes }: File): AsyncIterable<Uint8Array> {
  const endOwnTime = takeOwnTime(request);
  try {
    yield* bounded(request, maxBytes);
  } finally {
    endOwnTime();
    request.resume();
  }
}

async function* bounded(request: IncomingMessage, maxBytes: number): AsyncIterable<Uint8Array> {
  let bytes = 0;
  try {
    // Destroying the stream at the first rejection would close the connection that carries the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) continue;
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ApiError || (request.complete && !request.destroyed)) throw error;
    throw new RequestAborted();
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError({
    code: 'body_too_large',
    publicMessage: `The file is larger than ${maxBytes / 1_048_576} MiB. Send a smaller one.`,
    param: 'body',
  });
}
