import type { z } from 'zod';
import { errorOf, readJson, unexpectedAnswer, unreachable } from './api-error.ts';
import { API_ROOT } from './request.ts';

export interface UploadOptions<Schema extends z.ZodType> {
  /** Below `/api/dashboard`, its values encoded. */
  readonly path: string;
  readonly file: Blob;
  readonly mediaType: string;
  readonly schema: Schema;
  /** How many bytes have left the browser. */
  readonly onProgress: (bytes: number) => void;
  /** Stops the upload: the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/**
 * Posts a file and parses the response, as `request` does. The browser reads the file as it sends it. `fetch` would not say how
 * far it is.
 * @throws ApiError for every error response, and when there is no readable response.
 */
export async function uploadFile<Schema extends z.ZodType>(options: UploadOptions<Schema>): Promise<z.output<Schema>> {
  const response = await send(options);
  if (!response.ok) throw await errorOf(response);
  const parsed = options.schema.safeParse(await readJson(response));
  if (!parsed.success) throw unexpectedAnswer(response.status);
  return parsed.data;
}

function send({ path, file, mediaType, onProgress, signal }: UploadOptions<z.ZodType>): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('POST', `${API_ROOT}${path}`);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Content-Type', mediaType);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('Retry-After');
  return new Response(request.responseText, {
    status: request.status,
    headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
  });
}
