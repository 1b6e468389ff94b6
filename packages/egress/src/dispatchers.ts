import { isIP } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from 'undici';
import { createGuardedLookup, refusalOf } from './guarded-lookup.ts';
import type { ResolveName } from './names/name-resolver.ts';
import type { EgressPolicy } from './policy.ts';
import { TlsSessions } from './tls-sessions.ts';

export interface DispatcherOptions {
  readonly policy: EgressPolicy;
  readonly resolve: ResolveName;
  readonly connectTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly maxConnectionsPerOrigin: number;
  /** Certificates to trust beside the public ones; for tests and private networks. */
  readonly ca?: string;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/**
 * Connects only where the policy permits. The check is made for each connection, so it holds for every way to a host:
 * an address in the URL, which needs no lookup, as well as each address of a name. TLS sessions of one connector serve its
 * next connections to the same server.
 */
export function createGuardedConnector({
  policy,
  resolve,
  connectTimeoutMs,
  ca,
}: Pick<DispatcherOptions, 'policy' | 'resolve' | 'connectTimeoutMs' | 'ca'>): buildConnector.connector {
  const sessions = new TlsSessions();
  const context = sharedContext(ca);
  return (target, callback) => {
    const secure = target.protocol === 'https:';
    const port = target.port === '' ? (secure ? HTTPS_PORT : HTTP_PORT) : Number(target.port);
    const destination = { secure, port };
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    const refusal = isIP(host) === 0 ? undefined : refusalOf(policy, host, destination);
    if (refusal !== undefined) return callback(refusal, null);
    const lookup = createGuardedLookup(resolve, policy, destination);
    const options = { lookup, timeout: connectTimeoutMs };
    if (!secure) return buildConnector(options)(target, callback);
    const server = { host, port };
    const session = sessions.of(server);
    const open = buildConnector({
      ...options,
      secureContext: context(),
      // Its own cache would end with this connection.
      maxCachedSessions: 0,
      ...(session === undefined ? {} : { session }),
    });
    // The socket itself, which its type leaves out: it must be listened to before the handshake is over.
    const socket: unknown = open(target, (...result) => {
      if (result[0] !== null) sessions.drop(server);
      callback(...result);
    });
    if (socket instanceof TLSSocket) sessions.keep(server, socket);
  };
}

/** What certificates are checked with. It would cost every handshake half a millisecond. */
export function sharedContext(ca: string | undefined): () => SecureContext {
  let context: SecureContext | undefined;
  return () => (context ??= createSecureContext(ca === undefined ? {} : { ca }));
}

/** Requests over guarded connections that stay open. */
export function createGuardedAgent(options: DispatcherOptions): Agent {
  const { keepAliveMs, maxConnectionsPerOrigin } = options;
  return new Agent({
    connect: createGuardedConnector(options),
    connections: maxConnectionsPerOrigin,
    keepAliveTimeout: keepAliveMs,
    // A server may ask for longer; an idle socket would then stay on an address that its name left long ago.
    keepAliveMaxTimeout: keepAliveMs,
    // Without pipelining, a request that stalls delays no other.
    pipelining: 1,
  });
}

/** Sends everything through the operator's proxy, which resolves names and decides about addresses. */
export function createProxyDispatcher(proxy: URL, options: Omit<DispatcherOptions, 'policy' | 'resolve'>): Dispatcher {
  const { connectTimeoutMs, keepAliveMs, maxConnectionsPerOrigin, ca } = options;
  return new ProxyAgent({
    uri: proxy.href,
    connections: maxConnectionsPerOrigin,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    proxyTls: { timeout: connectTimeoutMs },
    requestTls: { timeout: connectTimeoutMs, ...(ca === undefined ? {} : { ca }) },
  });
}
