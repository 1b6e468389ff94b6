import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  parseRtpPacket,
  RTP_HEADER_BYTES,
  writeRtpHeader,
  type RtpHeader,
  type RtpPacket,
} from '../src/rtp/rtp-packet.ts';
import type { Endpoint, RemoteMedia } from '../src/rtp/remote-media.ts';

/** A far end on loopback: real sockets, driven by the test. */
export class RtpPeer {
  readonly #rtp: Socket;
  readonly #rtcp: Socket;
  readonly packets: RtpPacket[] = [];
  readonly reports: Buffer[] = [];
  #sequenceNumber = 65_530;
  #timestamp = 0xffff_ff00;

  private constructor(rtp: Socket, rtcp: Socket) {
    this.#rtp = rtp;
    this.#rtcp = rtcp;
    rtp.on('message', (datagram) => {
      const packet = parseRtpPacket(datagram);
      if (packet) this.packets.push(packet);
    });
    rtcp.on('message', (datagram) => this.reports.push(datagram));
  }

  static async open(host = '127.0.0.1'): Promise<RtpPeer> {
    return new RtpPeer(await bind(host), await bind(host));
  }

  get endpoint(): Endpoint {
    return endpointOf(this.#rtp);
  }

  /** The media that its SDP would describe. */
  media(changes: Partial<RemoteMedia> = {}): RemoteMedia {
    return {
      rtp: this.endpoint,
      rtcp: endpointOf(this.#rtcp),
      law: 'PCMU',
      payloadType: 0,
      eventPayloadType: 101,
      direction: 'sendrecv',
      ...changes,
    };
  }

  /** Sends one packet of 20 ms in which every byte is `code`. */
  send(
    port: number,
    code: number,
    changes: Partial<RtpHeader> = {},
    payload: Uint8Array = new Uint8Array(160).fill(code),
  ): void {
    const packet = Buffer.alloc(RTP_HEADER_BYTES + payload.length);
    const { sequenceNumber, timestamp } = { sequenceNumber: this.#sequenceNumber, timestamp: this.#timestamp };
    writeRtpHeader(packet, { marker: false, payloadType: 0, ssrc: 7, sequenceNumber, timestamp, ...changes });
    packet.set(payload, RTP_HEADER_BYTES);
    this.#sequenceNumber = (sequenceNumber + 1) & 0xffff;
    this.#timestamp = (timestamp + 160) >>> 0;
    this.sendRaw(port, packet);
  }

  sendRaw(port: number, datagram: Buffer): void {
    this.#rtp.send(datagram, port, '127.0.0.1');
  }

  sendRtcp(port: number, datagram: Buffer): void {
    this.#rtcp.send(datagram, port, '127.0.0.1');
  }

  /** Resolves once it has received that many RTP packets in all. */
  async received(count: number): Promise<void> {
    while (this.packets.length < count) await once(this.#rtp, 'message');
  }

  async reported(count: number): Promise<void> {
    while (this.reports.length < count) await once(this.#rtcp, 'message');
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#rtp, this.#rtcp].map(async (socket) => {
        socket.close();
        await once(socket, 'close');
      }),
    );
  }
}

async function bind(host: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  return socket;
}

function endpointOf(socket: Socket): Endpoint {
  const { address, port } = socket.address();
  return { host: address, port };
}
