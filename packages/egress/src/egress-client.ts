import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { systemClock, type Clock } from '@outdial/kernel';
import { request as send, type Dispatcher } from 'undici';
import type { Network } from './address.ts';
import { checkUrl, hostOf, type UrlCheck } from './check-url.ts';
import { createGuardedAgent, createProxyDispatcher } from './dispatchers.ts';
import { EgressError } from './egress-error.ts';
import { egressErrorOf } from './error-of.ts';
import type { ResolveName } from './guarded-lookup.ts';
import type { EgressScope } from './policy.ts';
import { readUpTo } from './read-up-to.ts';

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
  /** Ends what is in flight. */
  close(): Promise<void>;
}

export interface EgressClientOptions {
  /** `OUTDIAL_EGRESS_ALLOW`. */
  readonly allowed: readonly Network[];
  /** `OUTDIAL_EGRESS_PROXY`; null connects directly. */
  readonly proxy: URL | null;
  readonly clock?: Clock;
  readonly resolve?: ResolveName;
  readonly ca?: string;
  readonly connectTimeoutMs?: number;
  readonly keepAliveMs?: number;
  readonly maxConnectionsPerOrigin?: number;
}

/** The only way for a request to a URL that comes from a customer or names a provider. */
export function createEgressClient(options: EgressClientOptions): EgressClient {
  const { allowed, proxy, clock = systemClock, resolve = lookup, ca } = options;
  const limits = {
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    keepAliveMs: options.keepAliveMs ?? 60_000,
    maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 64,
    ...(ca === undefined ? {} : { ca }),
  };
  const guarded = (scope: EgressScope) => createGuardedAgent({ policy: { scope, allowed }, resolve, ...limits });
  const direct: Readonly<Record<EgressScope, Dispatcher>> = {
    internet: guarded('internet'),
    allow_list: guarded('allow_list'),
  };
  const byProxy = proxy === null ? null : createProxyDispatcher(proxy, limits);

  /** An address of the allow list is in the operator's own network, where the proxy has no part. */
  function dispatcherFor(url: URL, scope: EgressScope): Dispatcher {
    if (byProxy === null) return direct[scope];
    const host = hostOf(url);
    const inOwnNetwork = isIP(host) !== 0 && !checkUrl(url.href, { scope: 'internet', allowed }).ok;
    if (inOwnNetwork) return direct[scope];
    // The proxy alone learns the address of a name. It cannot be asked to keep `http:` to the allow list.
    if (url.protocol === 'http:') throw new EgressError('url_not_allowed', 'the URL must begin with https://');
    return byProxy;
  }

  return {
    check: (url, scope) => checkUrl(url, { scope, allowed }),
    async request(input) {
      const checked = checkUrl(input.url, { scope: input.scope, allowed });
      if (!checked.ok) throw new EgressError('url_not_allowed', `the URL ${checked.problem}`);
      const { url } = checked;
      const deadline = new AbortController();
      const timedOut = new EgressError('timed_out', 'the response took too long');
      const timer = clock.after(input.timeoutMs, () => deadline.abort(timedOut));
      const signals = [deadline.signal, ...(input.signal === undefined ? [] : [input.signal])];
      try {
        const response = await send(url, {
          dispatcher: dispatcherFor(url, input.scope),
          method: input.method,
          signal: AbortSignal.any(signals),
          // The deadline alone limits time.
          headersTimeout: 0,
          bodyTimeout: 0,
          ...(input.headers === undefined ? {} : { headers: input.headers }),
          ...(input.body === undefined ? {} : { body: input.body }),
        });
        return {
          status: response.statusCode,
          headers: firstValues(response.headers),
          ...(await readUpTo(response.body, input.maxResponseBytes)),
        };
      } catch (error) {
        if (input.signal?.aborted === true) {
          throw new EgressError('aborted', 'the request was aborted', { cause: error });
        }
        throw deadline.signal.aborted ? timedOut : egressErrorOf(error);
      } finally {
        timer.cancel();
      }
    },
    async close() {
      await Promise.all([direct.internet.destroy(), direct.allow_list.destroy(), byProxy?.destroy()]);
    },
  };
}

function firstValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) values[name] = first;
  }
  return values;
}
