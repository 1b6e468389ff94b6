import { isIP } from 'node:net';
import type { Clock } from '@outdial/kernel';
import type { Dispatcher } from 'undici';
import type { Network } from './address.ts';
import { checkUrl, hostOf } from './check-url.ts';
import { createGuardedAgent, createProxyDispatcher } from './dispatchers.ts';
import { EgressError } from './egress-error.ts';
import { createNameResolver, type ResolveName } from './names/name-resolver.ts';
import type { EgressScope } from './policy.ts';

export interface EgressOptions {
  /** `OUTDIAL_EGRESS_ALLOW`. */
  readonly allowed: readonly Network[];
  /** `OUTDIAL_EGRESS_PROXY`; null connects directly. */
  readonly proxy: URL | null;
  readonly clock?: Clock;
  /** Default: as the system's files say. */
  readonly resolve?: ResolveName;
  readonly ca?: string;
  readonly connectTimeoutMs?: number;
  readonly keepAliveMs?: number;
  readonly maxConnectionsPerOrigin?: number;
}

export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The proxy that a connection to this URL goes through; null: none. An address of the allow list is in the operator's own
 * network, where the proxy has no part.
 */
export function proxyFor(url: URL, { allowed, proxy }: Pick<EgressOptions, 'allowed' | 'proxy'>): URL | null {
  if (proxy === null) return null;
  const inOwnNetwork = isIP(hostOf(url)) !== 0 && !checkUrl(`${url.origin}/`, { scope: 'internet', allowed }).ok;
  if (inOwnNetwork) return null;
  // The proxy alone learns the address of a name. It cannot be asked to keep `http:` to the allow list.
  if (url.protocol === 'http:') throw new EgressError('url_not_allowed', 'the URL must begin with https://');
  return proxy;
}

export interface Dispatchers {
  /** Throws an `EgressError` for a URL that has no way out. */
  dispatcherFor(url: URL, scope: EgressScope): Dispatcher;
  /** Ends what is in flight. */
  close(): Promise<void>;
}

/** The connections of HTTP requests, kept open for the next ones. */
export function createDispatchers(options: EgressOptions): Dispatchers {
  const { allowed, proxy, ca } = options;
  const names = createNameResolver();
  const limits = {
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAliveMs: options.keepAliveMs ?? 60_000,
    maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 64,
    ...(ca === undefined ? {} : { ca }),
  };
  const guarded = (scope: EgressScope) => {
    const resolve = options.resolve ?? names.resolveFor(scope);
    return createGuardedAgent({ policy: { scope, allowed }, resolve, ...limits });
  };
  const direct = { internet: guarded('internet'), allow_list: guarded('allow_list') };
  const byProxy = proxy === null ? null : createProxyDispatcher(proxy, limits);
  return {
    dispatcherFor: (url, scope) => (proxyFor(url, options) === null ? direct[scope] : (byProxy ?? direct[scope])),
    async close() {
      await Promise.all([direct.internet.destroy(), direct.allow_list.destroy(), byProxy?.destroy()]);
    },
  };
}
