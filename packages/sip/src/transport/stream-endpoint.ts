import { once } from 'node:events';
import { connect as connectTcp, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import {
  connect as connectTls,
  createServer as createTlsServer,
  Server as TlsServer,
  type ConnectionOptions,
  type TlsOptions,
} from 'node:tls';
import { InboundConnections, type InboundLimits } from './inbound-connections.ts';
import type { KnownPeers } from './known-peers.ts';
import type { SipLog } from './sip-log.ts';
import { StreamConnection, type StreamConnectionOptions } from './stream-connection.ts';
import { KEEP_ALIVE_TIMES, type KeepAliveTimes } from './stream-keep-alive.ts';
import type { Channel, Destination, HostPort, Inbound } from './transport.ts';

/** Longer than any handshake that a caller would wait for, in either direction. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface StreamEndpointOptions {
  readonly transport: 'TCP' | 'TLS';
  readonly address: string;
  readonly advertise: (local: HostPort) => HostPort;
  /** Trust and, where the far end asks for it, our certificate. */
  readonly client?: ConnectionOptions;
  readonly keepAlive?: KeepAliveTimes;
  readonly inbound: InboundLimits;
  /** Their connections are kept when the limit is reached. */
  readonly knownPeers: KnownPeers;
  readonly log: SipLog;
  readonly onInbound: (inbound: Inbound) => void;
}

/** PEM: a certificate followed by its chain, and its private key. */
export interface TlsIdentity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The connections of one stream transport. A connection that we opened is reused for the same destination. */
export class StreamEndpoint {
  readonly #options: StreamEndpointOptions;
  readonly #opening = new Map<string, Promise<StreamConnection>>();
  /** Only connections that we opened are used for sending: a peer that connected to us has not proven its address. */
  readonly #opened = new Map<string, StreamConnection>();
  readonly #connections = new Set<StreamConnection>();
  readonly #inbound: InboundConnections;
  #server: Server | undefined;
  #serverTls: TlsOptions = {};
  #closed = false;

  constructor(options: StreamEndpointOptions) {
    this.#options = options;
    this.#inbound = new InboundConnections(options.inbound, (address) => options.knownPeers.has(address));
  }

  get port(): number {
    const address = this.#server?.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Accepts connections; TLS needs a key and certificate. */
  async listen(port: number, tls?: TlsOptions): Promise<void> {
    const accept = (socket: Socket) => {
      const { inbound, knownPeers } = this.#options;
      const isKnown = knownPeers.has((socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
      this.#adopt(socket, {
        deadline: { firstMessageMs: isKnown ? null : inbound.firstMessageMs, messageMs: inbound.messageMs },
        onMessage: () => this.#inbound.heard(socket),
        onClosed: () => undefined,
      });
    };
    const server =
      this.#options.transport === 'TLS'
        ? createTlsServer({ handshakeTimeout: CONNECT_TIMEOUT_MS, ...tls }, accept)
        : createTcpServer({ noDelay: true }, accept);
    // Before the listener that reads from it: a rejected connection must not be read.
    server.prependListener('connection', (socket: Socket) => this.#inbound.accept(socket));
    // Handles a handshake that failed or timed out; the listener must close the socket.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.listen(port, this.#options.address);
    await once(server, 'listening');
    server.on('error', (error) => this.#discard(error.message));
    this.#server = server;
    this.#serverTls = { ...tls };
  }

  /**
   * Presents another certificate to new connections; open ones continue.
   * @throws when the certificate cannot be used, or there is no TLS listener: then nothing changes.
   */
  renewCertificate(identity: TlsIdentity): void {
    const server = this.#server;
    if (!(server instanceof TlsServer)) throw new Error('nothing listens for TLS');
    // Replaces every setting of the context: an omitted one would fall back to its default.
    server.setSecureContext({ ...this.#serverTls, ...identity });
  }

  async open(destination: Destination): Promise<Channel> {
    const key = `${destination.address}:${destination.port}:${destination.serverName ?? ''}`;
    const known = this.#opened.get(key)?.channel;
    if (known?.usable === true) return known;
    let opening = this.#opening.get(key);
    if (opening === undefined) {
      opening = this.#connect(destination, key).finally(() => this.#opening.delete(key));
      this.#opening.set(key, opening);
    }
    return (await opening).channel;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const connection of this.#connections) connection.close();
    this.#inbound.closeAll();
    const server = this.#server;
    if (server?.listening !== true) return;
    server.close();
    await once(server, 'close');
  }

  /** An error of the server itself belongs to no connection. */
  #discard(reason: string): void {
    const { transport, log } = this.#options;
    log({ kind: 'discarded', transport, remote: '', text: '', reason });
  }

  async #connect(destination: Destination, key: string): Promise<StreamConnection> {
    if (this.#closed) throw new Error('the user agent is closed');
    const { address: host, port, serverName } = destination;
    const { transport, address: localAddress, client } = this.#options;
    const tcp = connectTcp({ host, port, localAddress, noDelay: true });
    const named = serverName === undefined ? {} : { servername: serverName };
    const socket = transport === 'TLS' ? connectTls({ socket: tcp, host, ...named, ...client }) : tcp;
    try {
      const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
      await once(socket, transport === 'TLS' ? 'secureConnect' : 'connect', { signal });
    } catch (error) {
      socket.destroy();
      throw error instanceof Error ? error : new Error('the connection failed');
    }
    if (this.#closed) {
      socket.destroy();
      throw new Error('the user agent is closed');
    }
    const connection = this.#adopt(socket, {
      ...(serverName === undefined ? {} : { serverName }),
      keepAlive: this.#options.keepAlive ?? KEEP_ALIVE_TIMES,
      onClosed: () => this.#opened.delete(key),
    });
    this.#opened.set(key, connection);
    return connection;
  }

  #adopt(
    socket: Socket,
    {
      onClosed,
      ...own
    }: Pick<StreamConnectionOptions, 'serverName' | 'keepAlive' | 'deadline' | 'onMessage' | 'onClosed'>,
  ): StreamConnection {
    const isOnlyReturnPath = this.#server === undefined;
    const port = isOnlyReturnPath ? (socket.localPort ?? 0) : this.port;
    const { transport, address, advertise, log, onInbound } = this.#options;
    const local = { host: socket.localAddress ?? address, port };
    const connection: StreamConnection = new StreamConnection(socket, {
      transport,
      log,
      onInbound,
      ...own,
      local: advertise(local),
      isOnlyReturnPath,
      onClosed: () => {
        this.#connections.delete(connection);
        onClosed();
      },
    });
    this.#connections.add(connection);
    return connection;
  }
}
