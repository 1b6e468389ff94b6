import type { Socket } from 'node:net';
import { systemClock } from '@outdial/kernel';
import { request as send } from 'undici';
import { checkUrl, type UrlCheck } from './check-url.ts';
import { EgressError } from './egress-error.ts';
import { createEgressSockets, type EgressSockets } from './egress-sockets.ts';
import { egressErrorOf } from './error-of.ts';
import type { EgressScope } from './policy.ts';
import { readUpTo } from './read-up-to.ts';
import { createDispatchers, type EgressOptions } from './routes.ts';

export interface EgressRequest {
  readonly scope: EgressScope;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** From the call until the last byte of the response that is read. */
  readonly timeoutMs: number;
  /** The response's body is cut here. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  /** In lower case; of a repeated header, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The server had more to send than `maxResponseBytes`. */
  readonly truncated: boolean;
}

export interface EgressClient {
  /** For a URL that a customer saves. */
  check(url: string, scope: EgressScope): UrlCheck;
  /**
   * Sends one request. Any status is a response, also 3xx: redirects are not followed. Rejects with an `EgressError`
   * and nothing else.
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** As `EgressSockets.connect`, for a WebSocket now and then. The caller ends it. */
  connect(url: string, scope: EgressScope): Promise<Socket>;
  /** Ends what is in flight. */
  close(): Promise<void>;
}

/** The only way for a request to a URL that comes from a customer or names a provider. */
export function createEgressClient(options: EgressOptions): EgressClient {
  const { allowed, clock = systemClock } = options;
  const dispatchers = createDispatchers(options);
  let sockets: EgressSockets | undefined;
  return {
    check: (url, scope) => checkUrl(url, { scope, allowed }),
    async request(input) {
      const checked = checkUrl(input.url, { scope: input.scope, allowed });
      if (!checked.ok) throw new EgressError('url_not_allowed', `the URL ${checked.problem}`);
      const { url } = checked;
      // One signal for deadline and caller: `AbortSignal.any` costs as much as the rest of a short request.
      const ending = new AbortController();
      const { signal } = ending;
      const giveUp = () => ending.abort();
      let isLate = false;
      const timer = clock.after(input.timeoutMs, () => {
        isLate = true;
        giveUp();
      });
      input.signal?.addEventListener('abort', giveUp, { once: true });
      if (input.signal?.aborted === true) giveUp();
      try {
        const sending = send(url, {
          dispatcher: dispatchers.dispatcherFor(url, input.scope),
          method: input.method,
          signal,
          // The deadline alone limits time.
          headersTimeout: 0,
          bodyTimeout: 0,
          ...(input.headers === undefined ? {} : { headers: input.headers }),
          ...(input.body === undefined ? {} : { body: input.body }),
        });
        const response = await untilAborted(signal, sending);
        return {
          status: response.statusCode,
          headers: firstValues(response.headers),
          ...(await readUpTo(response.body, input.maxResponseBytes)),
        };
      } catch (error) {
        if (input.signal?.aborted === true) {
          throw new EgressError('aborted', 'the request was aborted', { cause: error });
        }
        throw isLate ? new EgressError('timed_out', 'the response took too long') : egressErrorOf(error);
      } finally {
        timer.cancel();
        input.signal?.removeEventListener('abort', giveUp);
      }
    },
    connect(url, scope) {
      sockets ??= createEgressSockets(options);
      return sockets.connect(url, scope);
    },
    close: () => dispatchers.close(),
  };
}

/** undici notices a signal only once a connection is there: a proxy that never opens its tunnel would outlast it. */
function untilAborted<Value>(signal: AbortSignal, working: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new EgressError('aborted', 'the request was aborted'));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    void working.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

function firstValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) values[name] = first;
  }
  return values;
}
