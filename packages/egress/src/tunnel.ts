import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '@outdial/kernel';
import { EgressError } from './egress-error.ts';
import { egressErrorOf } from './error-of.ts';
import type { TlsSessions } from './tls-sessions.ts';

export interface TunnelOptions {
  readonly proxy: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** For the proxy, its answer and the TLS handshake with the host, all together. */
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly context: SecureContext;
  readonly sessions: TlsSessions;
}

/** A TLS connection to a host through a proxy (`CONNECT`, RFC 9110 section 9.3.6). Rejects with an `EgressError`. */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, host, port, connectTimeoutMs, clock } = options;
  return new Promise((resolve, reject) => {
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    const request = (proxy.protocol === 'https:' ? requestHttps : requestHttp)(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      agent: false,
    });
    let carrier: Socket | undefined;
    const fail = (error: EgressError) => {
      timer.cancel();
      request.destroy();
      carrier?.destroy();
      reject(error);
    };
    const timer = clock.after(connectTimeoutMs, () => fail(noConnection('the proxy took too long')));
    request.on('error', (error) => fail(egressErrorOf(error)));
    request.on('response', ({ statusCode }) =>
      fail(noConnection(`the proxy answered with ${statusCode ?? 'nothing'}`)),
    );
    request.on('connect', ({ statusCode }, socket: Socket) => {
      carrier = socket;
      if (statusCode !== 200) return fail(noConnection(`the proxy answered with ${statusCode ?? 'nothing'}`));
      const secured = securedWith(socket, options);
      options.sessions.keep(options, secured);
      const onError = (error: Error) => {
        options.sessions.drop(options);
        fail(egressErrorOf(error));
      };
      secured.once('error', onError);
      secured.once('secureConnect', () => {
        timer.cancel();
        secured.off('error', onError);
        resolve(secured);
      });
    });
    request.end();
  });
}

function securedWith(socket: Socket, { host, port, context, sessions }: TunnelOptions): TLSSocket {
  const session = sessions.of({ host, port });
  return connectTls({
    socket,
    host,
    secureContext: context,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(session === undefined ? {} : { session }),
  });
}

const noConnection = (message: string) => new EgressError('connect_failed', message);

function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
