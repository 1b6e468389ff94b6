import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ListenerWebhook, WebhookResult } from '@outdial/sdk';

/** What came of a forwarded webhook. */
export type Forwarded = Required<
  Pick<WebhookResult, 'status' | 'error' | 'duration_ms' | 'response_headers' | 'response_body'>
>;
type ForwardError = NonNullable<WebhookResult['error']>;

export interface ForwardOptions {
  readonly signal: AbortSignal;
  /** As long as the service waits for an endpoint. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 16_384;
/** What the log keeps of a response. */
const MAX_REPORTED_CHARACTERS = 2_048;
const MAX_REPORTED_HEADERS = 20;
const MAX_HEADER_CHARACTERS = 200;

/**
 * Makes the request as the service has signed it: its headers, its bytes, no redirect. Not by `fetch`, which adds headers.
 *
 * @throws the reason of an aborted signal
 */
export async function forward(
  to: URL,
  { headers, body }: Pick<ListenerWebhook, 'headers' | 'body'>,
  { signal, timeoutMs = TIMEOUT_MS }: ForwardOptions,
): Promise<Forwarded> {
  const startedAtMs = performance.now();
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(to, { headers, body, signal: AbortSignal.any([signal, limit]) });
    return { ...(await read(response)), error: null, duration_ms: since(startedAtMs) };
  } catch (error) {
    signal.throwIfAborted();
    const why = limit.aborted ? 'timeout' : errorOf(error);
    return { status: null, error: why, duration_ms: since(startedAtMs), response_headers: {}, response_body: null };
  }
}

const since = (startedAtMs: number): number => Math.round(performance.now() - startedAtMs);

interface Sent extends Pick<ListenerWebhook, 'headers' | 'body'> {
  readonly signal: AbortSignal;
}

function send(to: URL, { headers, body, signal }: Sent): Promise<IncomingMessage> {
  const request = to.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    request(to, { method: 'POST', headers: { ...headers, ...length }, signal })
      .once('response', resolve)
      .on('error', reject)
      .end(body);
  });
}

async function read(response: IncomingMessage): Promise<Omit<Forwarded, 'error' | 'duration_ms'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const part = Buffer.from(chunk);
    chunks.push(part);
    bytes += part.length;
    if (bytes >= MAX_RESPONSE_BYTES) break;
  }
  return {
    status: response.statusCode ?? 0,
    response_headers: headersOf(response),
    response_body: Buffer.concat(chunks).toString().slice(0, MAX_REPORTED_CHARACTERS),
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => name !== 'set-cookie');
  return Object.fromEntries(
    entries
      .slice(0, MAX_REPORTED_HEADERS)
      .map(([name, value]) => [name.slice(0, MAX_HEADER_CHARACTERS), String(value).slice(0, MAX_HEADER_CHARACTERS)]),
  );
}

/** In the words of the log of deliveries. */
function errorOf(error: unknown): ForwardError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'dns';
  if (/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'connect';
  return /CERT|TLS|SSL|SIGNED|EPROTO|UNABLE_TO/.test(code) ? 'tls' : 'reset';
}
