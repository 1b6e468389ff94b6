import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { ReceivedRequest } from '../syntax/message.ts';
import { receiveBytes } from './inbound.ts';
import { localAddressTowards } from './local-address.ts';
import type { SipLog } from './sip-log.ts';
import { defaultPort, type Channel, type Destination, type HostPort, type Inbound } from './transport.ts';

/** A burst of datagrams waits here while the process is busy. */
const RECEIVE_BUFFER_BYTES = 1 << 20;

export interface UdpEndpointOptions {
  readonly address: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The address and port for Via and Contact, from the local ones. */
  readonly advertise: (local: HostPort) => HostPort;
  readonly log: SipLog;
  readonly onInbound: (inbound: Inbound) => void;
}

/** The one socket for all datagrams, so that responses come back to the source port. */
export class UdpEndpoint {
  readonly #options: UdpEndpointOptions;
  readonly #socket: Socket;
  #open = true;

  private constructor(options: UdpEndpointOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
  }

  static async bind(options: UdpEndpointOptions): Promise<UdpEndpoint> {
    const socket = createSocket({
      type: 'udp4',
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      // Destinations are already addresses. Answering at once keeps the send within the caller's tick.
      lookup: (address, _options, callback) => callback(null, address, 4),
    });
    // Subscribe first: with a look-up that answers at once, the socket may be bound when `bind` returns.
    const listening = once(socket, 'listening');
    socket.bind(options.port, options.address);
    await listening;
    const endpoint = new UdpEndpoint(options, socket);
    socket.on('message', (bytes, source) => endpoint.#receive(bytes, source));
    // An error of the socket itself belongs to no message; senders learn of send errors by their callbacks.
    socket.on('error', (error) =>
      options.log({ kind: 'discarded', transport: 'UDP', remote: '', text: '', reason: error.message }),
    );
    return endpoint;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  async open(destination: Destination): Promise<Channel> {
    return this.#channel(destination, await localAddressTowards(destination, this.#options.address));
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #receive(bytes: Buffer, source: { readonly address: string; readonly port: number }): void {
    const remote = { transport: 'UDP', address: source.address, port: source.port } as const;
    receiveBytes(bytes, this.#channel(remote, this.#options.address), this.#options, (request) =>
      this.#channel({ ...remote, port: replyPort(request, source.port) }, this.#options.address),
    );
  }

  #channel(remote: Destination, localAddress: string): Channel {
    const isOpen = () => this.#open;
    return {
      remote,
      local: this.#options.advertise({ host: localAddress, port: this.port }),
      reliable: false,
      get usable() {
        return isOpen();
      },
      isOnlyReturnPath: false,
      onClosed: () => () => undefined,
      send: (bytes, onDone) => {
        if (!this.#open) {
          onDone({ error: new Error('the socket is closed'), mayHaveLeft: false });
          return;
        }
        const { address, port } = remote;
        this.#options.log({
          kind: 'sent',
          transport: 'UDP',
          remote: `${address}:${port}`,
          text: bytes.toString('utf8'),
        });
        // A datagram is sent whole or, with an error, not at all.
        this.#socket.send(bytes, port, address, (error) => onDone(error ? { error, mayHaveLeft: false } : undefined));
      },
    };
  }
}

/** The source port if `rport` asks for it, else the port in Via (RFC 3261 section 18.2.2, RFC 3581). */
function replyPort({ via }: ReceivedRequest, sourcePort: number): number {
  return via.params.has('rport') ? sourcePort : (via.port ?? defaultPort('UDP'));
}
