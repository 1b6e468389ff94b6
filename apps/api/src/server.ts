import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pause } from '@outdial/kernel';
import type { MessageClasses } from './http/express-messages.ts';
import { answerRequests, type ProtocolErrorDeps } from './http/protocol-errors.ts';

export interface RunningServer {
  readonly url: string;
  /** Accepts no new connections, lets requests finish for at most `limitMs`, then closes their connections. */
  close(limitMs: number): Promise<void>;
}

/** The server cannot listen on the address; the message says why and what to do. */
export class ListenError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ListenError';
  }
}

/** Time limits of connections. */
export interface ServerLimits {
  /**
   * For the headers of a request, and for all of it: the longest that a client sending byte by byte holds a connection.
   */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often these limits are checked. */
  readonly checkEveryMs: number;
  readonly keepAliveMs: number;
}

const LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 20_000,
  checkEveryMs: 1_000,
  // Above the 60 s after which common proxies drop an idle connection: the side that reuses it must close it first.
  keepAliveMs: 72_000,
};

/** While closing: idle connections are detected at most this much after their last answer. */
const SWEEP_MS = 50;

export interface ListenOptions extends ProtocolErrorDeps {
  readonly host: string;
  readonly port: number;
  readonly limits?: ServerLimits;
  /** Undefined: Node's default. */
  readonly messages?: MessageClasses;
}

/** @throws ListenError */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<RunningServer> {
  const { clock, limits = LIMITS } = options;
  const server = createServer({
    ...options.messages,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Checked in the request handler, which can return a complete error.
    requireHostHeader: false,
  });
  answerRequests(server, listener, options);
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  await bind(server, options);
  return {
    url: urlOf(server.address()),
    async close(limitMs) {
      const done = new AbortController();
      const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => done.abort());
      const cut = pause(clock, limitMs, done.signal).then(() => server.closeAllConnections());
      while (!done.signal.aborted) {
        server.closeIdleConnections();
        await pause(clock, SWEEP_MS, done.signal);
        // Node counts a connection that was never used as one with a request in flight.
        for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
      }
      await Promise.all([closed, cut]);
    },
  };
}

function bind(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ListenError(reasonOf(error, host, port), error)));
    server.listen(port, host, resolve);
  });
}

function reasonOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program: stop it, or set PORT to another port.`;
    case 'EACCES':
      return `This user may not open port ${port}: set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: set HOST to one that is.`;
    default:
      return `The API cannot listen on ${host}:${port} (${error.message}): change HOST or PORT.`;
  }
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return String(address);
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
