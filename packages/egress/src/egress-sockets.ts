import type { Socket } from 'node:net';
import { systemClock } from '@outdial/kernel';
import { checkUrl, hostOf } from './check-url.ts';
import { createGuardedConnector, sharedContext } from './dispatchers.ts';
import { EgressError } from './egress-error.ts';
import { egressErrorOf } from './error-of.ts';
import { createNameResolver } from './names/name-resolver.ts';
import type { EgressScope } from './policy.ts';
import { CONNECT_TIMEOUT_MS, proxyFor, type EgressOptions } from './routes.ts';
import { TlsSessions } from './tls-sessions.ts';
import { openTunnel } from './tunnel.ts';

export interface EgressSockets {
  /**
   * A connection for a WebSocket to this URL (`wss:`, `ws:`), with TLS as it asks. Its path is left to the caller.
   * Rejects with an `EgressError`.
   */
  connect(url: string, scope: EgressScope): Promise<Socket>;
}

/** Connections that lead only where the scope permits, for protocols that begin with an upgrade. */
export function createEgressSockets(options: EgressOptions): EgressSockets {
  const { allowed, clock = systemClock, connectTimeoutMs = CONNECT_TIMEOUT_MS, ca } = options;
  const trust = ca === undefined ? {} : { ca };
  const names = createNameResolver();
  const guarded = (scope: EgressScope) => {
    const resolve = options.resolve ?? names.resolveFor(scope);
    return createGuardedConnector({ policy: { scope, allowed }, resolve, connectTimeoutMs, ...trust });
  };
  const context = sharedContext(ca);
  const sessions = { internet: new TlsSessions(), allow_list: new TlsSessions() };
  const direct = { internet: guarded('internet'), allow_list: guarded('allow_list') };

  function connectDirectly({ hostname, host, protocol, port }: URL, scope: EgressScope): Promise<Socket> {
    return new Promise((resolveSocket, reject) => {
      direct[scope]({ hostname, host, protocol, port }, (error, socket) =>
        error === null ? resolveSocket(socket) : reject(egressErrorOf(error)),
      );
    });
  }

  return {
    async connect(address, scope) {
      // A path is no matter of the guard, and may be longer than a URL that a customer saves.
      const origin = URL.canParse(address) ? new URL('/', address.replace(/^ws/, 'http')).href : address;
      const checked = checkUrl(origin, { scope, allowed });
      if (!checked.ok) throw new EgressError('url_not_allowed', `the URL ${checked.problem}`);
      const { url } = checked;
      const proxy = proxyFor(url, options);
      if (proxy === null) return connectDirectly(url, scope);
      const port = url.port === '' ? HTTPS_PORT : Number(url.port);
      return openTunnel({
        proxy,
        host: hostOf(url),
        port,
        connectTimeoutMs,
        clock,
        context: context(),
        sessions: sessions[scope],
      });
    },
  };
}

const HTTPS_PORT = 443;
