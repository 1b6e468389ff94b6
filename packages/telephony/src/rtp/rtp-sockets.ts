import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Endpoint } from './remote-media.ts';

/** A second of voice is 8.6 kB; a thread that stalls for longer has worse problems. */
const RECEIVE_BUFFER_BYTES = 128 * 1_024;

/** `sender` is valid only during the call. */
export type DatagramListener = (datagram: Buffer, sender: Endpoint) => void;

/** The two ports of a session: RTP on an even one, RTCP on the next (RFC 3550 section 11). */
export interface RtpSockets {
  readonly rtpPort: number;
  listen(listeners: { readonly onRtp: DatagramListener; readonly onRtcp: DatagramListener }): void;
  sendRtp(packet: Buffer, to: Endpoint): void;
  sendRtcp(packet: Buffer, to: Endpoint): void;
  /** Resolves once both ports are free again. Idempotent. From the call on nothing is sent or received. */
  close(): Promise<void>;
}

/** Null if one of the two ports is taken. Rejects if the address is not one of this machine's. */
export async function bindRtpSockets(address: string, rtpPort: number): Promise<RtpSockets | null> {
  const rtp = await bindSocket(address, rtpPort);
  if (!rtp) return null;
  const rtcp = await bindSocket(address, rtpPort + 1).catch(async (error: unknown) => {
    await closeSocket(rtp);
    throw error;
  });
  if (rtcp) return new BoundSockets(rtpPort, rtp, rtcp);
  await closeSocket(rtp);
  return null;
}

async function bindSocket(address: string, port: number): Promise<Socket | null> {
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: RECEIVE_BUFFER_BYTES,
    // Destinations are addresses: a look-up for every packet would go through the thread pool.
    lookup: (host, _options, done) => done(null, host, 4),
  });
  try {
    // With such a look-up the socket may be bound before `bind` returns.
    const listening = once(socket, 'listening');
    socket.bind(port, address);
    await listening;
    return socket;
  } catch (error) {
    await closeSocket(socket);
    if (isTaken(error)) return null;
    throw error;
  }
}

/** The system reports EACCES for reserved ports. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');

async function closeSocket(socket: Socket): Promise<void> {
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}

class BoundSockets implements RtpSockets {
  readonly rtpPort: number;
  readonly #rtp: Socket;
  readonly #rtcp: Socket;
  #closed: Promise<unknown> | undefined;

  constructor(rtpPort: number, rtp: Socket, rtcp: Socket) {
    this.rtpPort = rtpPort;
    this.#rtp = rtp;
    this.#rtcp = rtcp;
    // Silence detection finds a far end that is gone; ICMP errors are ignored.
    for (const socket of [rtp, rtcp]) socket.on('error', () => undefined);
  }

  listen({ onRtp, onRtcp }: { readonly onRtp: DatagramListener; readonly onRtcp: DatagramListener }): void {
    // One object for all packets: 50 a second for each call would have to be collected.
    const sender = { host: '', port: 0 };
    const from = ({ address, port }: RemoteInfo): Endpoint => {
      sender.host = address;
      sender.port = port;
      return sender;
    };
    this.#rtp.on('message', (datagram, info) => onRtp(datagram, from(info)));
    this.#rtcp.on('message', (datagram, info) => onRtcp(datagram, from(info)));
  }

  sendRtp(packet: Buffer, to: Endpoint): void {
    this.#send(this.#rtp, packet, to);
  }

  sendRtcp(packet: Buffer, to: Endpoint): void {
    this.#send(this.#rtcp, packet, to);
  }

  async close(): Promise<void> {
    this.#closed ??= Promise.all([closeSocket(this.#rtp), closeSocket(this.#rtcp)]);
    await this.#closed;
  }

  #send(socket: Socket, packet: Buffer, { host, port }: Endpoint): void {
    if (this.#closed) return;
    socket.send(packet, port, host);
  }
}
