import type { z } from 'zod';
import { errorOf, readJson, unexpectedAnswer, unreachable } from './api-error.ts';

export const API_ROOT = '/api/dashboard';

export interface RequestOptions<Schema extends z.ZodType> {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/dashboard`, its values encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly file?: { readonly content: Blob; readonly mediaType: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly schema: Schema;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request to the service and parses the response.
 * @throws ApiError for every error response, and when there is no readable response.
 */
export async function request<Schema extends z.ZodType>(options: RequestOptions<Schema>): Promise<z.output<Schema>> {
  const response = await send(options);
  if (!response.ok) throw await errorOf(response);
  // 204 has no body.
  const parsed = options.schema.safeParse(response.status === 204 ? {} : await readJson(response));
  if (!parsed.success) throw unexpectedAnswer(response.status);
  return parsed.data;
}

async function send({
  method = 'GET',
  path,
  body,
  file,
  headers,
  signal,
}: RequestOptions<z.ZodType>): Promise<Response> {
  try {
    return await fetch(`${API_ROOT}${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : JSON_TYPE),
        ...(file === undefined ? {} : { 'Content-Type': file.mediaType }),
        ...headers,
      },
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file.content }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    // An abort is the caller's own. Everything else that fetch throws means that there was no response.
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' } as const;

/** `/accounts/{account_id}/…` with every part encoded. */
export function accountPath(accountId: string, ...parts: readonly string[]): string {
  return ['/accounts', accountId, ...parts].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join('/');
}

/** `?a=b` without undefined and empty values; empty text when no value is left. */
export function queryString(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
