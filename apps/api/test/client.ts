import { setTimeout as sleep } from 'node:timers/promises';
import {
  callEnvelopeSchema,
  dashboardErrorSchema,
  errorBodySchema,
  type CallBody,
  type DashboardErrorBody,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  readonly json: unknown;
  /** The body as a call; throws if any field is missing, unknown, or of another type. */
  call(): CallBody;
  /** The body as an error; throws likewise, and if its request id differs from the header's. */
  error(): DashboardErrorBody['error'];
}

export interface RequestOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as is, instead of JSON. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Returns a 503 as the answer. Otherwise it is retried, as it asks for: a busy machine may answer some. */
  readonly once?: boolean;
}

export interface ApiClient {
  /** Paths below `/api/v1`, unless they begin with `//`. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  untilReady(): Promise<void>;
}

const PATIENCE_MS = 60_000;

const isDashboard = (path: string) => path.startsWith('//api/dashboard/');

export function createClient(url: string): ApiClient {
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const giveUpMs = performance.now() + PATIENCE_MS;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 6_400)) {
      const answer = await send(method, path, options);
      const mayRepeat = answer.status === 503 && !options.once && (!path.startsWith('//') || isDashboard(path));
      if (!mayRepeat || answer.error().code !== 'service_unavailable' || performance.now() > giveUpMs) return answer;
      // With jitter: a thousand simultaneous retries would overload the API again.
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }

  async function send(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const { key, headers, json } = options;
    const body = json === undefined ? options.body : JSON.stringify(json);
    const response = await fetch(path.startsWith('//') ? `${url}${path.slice(1)}` : `${url}/api/v1${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'X-API-Key': key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text };
    return {
      ...answer,
      get json(): unknown {
        return JSON.parse(text);
      },
      call: () => callEnvelopeSchema.parse(JSON.parse(text)).call,
      error() {
        const schema = isDashboard(path) ? dashboardErrorSchema : errorBodySchema;
        const { error } = schema.parse(JSON.parse(text));
        invariant(error.request_id === response.headers.get('x-request-id'), 'body and header name one request');
        return error;
      },
    };
  }

  return {
    request,
    async untilReady() {
      // The first check opens the gate; until then there is nothing to wait for but another check.
      for (;;) {
        const { status } = await request('GET', '//readyz');
        if (status === 200) return;
        await sleep(20);
      }
    },
  };
}
