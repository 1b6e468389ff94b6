import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../generated/api.ts';
import { connectionFailed, type OnProgress, type Transport, type UploadBody } from './transport.ts';

/** What every method of the client takes. */
export interface RequestOptions {
  /** Ends the request, with all its repetitions. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests as the document describes them. */
export interface Api {
  readonly http: Client<paths>;
  readonly transport: Transport;
  /** Opens a stream below the base address. */
  open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<Response>;
}

export interface ApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly transport: Transport;
}

export function createApi({ baseUrl, apiKey, transport }: ApiOptions): Api {
  const own = { 'X-API-Key': apiKey };
  return {
    transport,
    // A redirect would carry the key to another address.
    http: createClient<paths>({ baseUrl, headers: own, fetch: transport.send, redirect: 'error' }),
    open(path, headers, signal) {
      const init = { headers: { ...own, ...headers }, redirect: 'error' } as const;
      return transport.open(new Request(`${baseUrl}${path}`, signal === undefined ? init : { ...init, signal }));
    },
  };
}

/** The body of an answer. The transport has thrown for every answer that is not a success. */
export async function bodyOf<Body>(answer: Promise<{ readonly data?: Body }>): Promise<NonNullable<Body>> {
  const { data } = await answer;
  if (data === undefined || data === null) throw connectionFailed(new Error('the answer has no body'));
  return data;
}

/** `exactOptionalPropertyTypes`: a signal that was not given is left out. */
export function withSignal({ signal }: RequestOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** How a request sends a file instead of its body. */
export function csvUpload(transport: Transport, file: UploadBody, onProgress?: OnProgress) {
  const headers = { 'Content-Type': 'text/csv' };
  return { bodySerializer: () => '', headers, fetch: transport.upload(file, onProgress) };
}

/** A file as it arrives. @param path below the base address. */
export async function download(
  api: Api,
  path: string,
  accept: string,
  { signal }: RequestOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { body } = await api.open(path, { Accept: accept }, signal);
  if (body === null) throw connectionFailed(new Error('the answer has no body'));
  return body;
}
