import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A received request, and the means to answer it. */
export interface RawRequest {
  readonly method: string;
  readonly text: string;
  readonly from: RemoteInfo;
  /** Sends a response from this far end's socket, or from another one. `fields` are complete header lines. */
  reply(status: string, parts?: { fields?: readonly string[]; body?: string; socket?: Socket }): void;
}

/**
 * A far end that works on plain text, so that a test can do what no user agent does, such as ignore a BYE. The test
 * answers each request, or leaves it unanswered.
 */
export class RawFarEnd {
  readonly requests: RawRequest[] = [];
  readonly #socket: Socket;
  readonly #onRequest: (request: RawRequest, farEnd: RawFarEnd) => void;
  #wake: (() => void)[] = [];

  private constructor(socket: Socket, onRequest: (request: RawRequest, farEnd: RawFarEnd) => void) {
    this.#socket = socket;
    this.#onRequest = onRequest;
    socket.on('message', (datagram, from) => this.#receive(datagram.toString(), from));
  }

  static async open(onRequest: (request: RawRequest, farEnd: RawFarEnd) => void): Promise<RawFarEnd> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new RawFarEnd(socket, onRequest);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get uri(): string {
    return `sip:127.0.0.1:${this.port}`;
  }

  get contact(): string {
    return `Contact: <sip:far@127.0.0.1:${this.port}>`;
  }

  /** Resolves with the first request of that method. */
  async request(method: string): Promise<RawRequest> {
    for (;;) {
      const found = this.requests.find((request) => request.method === method);
      if (found) return found;
      await new Promise<void>((wake) => this.#wake.push(wake));
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #receive(text: string, from: RemoteInfo): void {
    const method = text.slice(0, text.indexOf(' '));
    if (method.startsWith('SIP/')) return;
    const request: RawRequest = {
      method,
      text,
      from,
      reply: (status, { fields = [], body = '', socket = this.#socket } = {}) =>
        socket.send(responseTo(text, status, fields, body), from.port, from.address),
    };
    this.requests.push(request);
    this.#onRequest(request, this);
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** A minimal SDP offer of one audio port. */
export function plainSdp(port: number, host = '127.0.0.1'): string {
  return [
    'v=0',
    `o=- 1 1 IN IP4 ${host}`,
    's=-',
    `c=IN IP4 ${host}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:101 telephone-event/8000',
    '',
  ].join('\r\n');
}

const part = (type: string, content: string): string => `--gateway\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;

/** An SDP body beside ISUP, as gateways to the telephone network send it (RFC 3204). */
export function sdpWithIsup(sdp: string): { readonly field: string; readonly body: string } {
  const isup = `${part('application/isup;version=itu-t92+', '\u0010\u0001-\u0007')}--gateway--\r\n`;
  return { field: 'Content-Type: multipart/mixed;boundary=gateway', body: part('application/sdp', sdp) + isup };
}

export const SDP_FIELD = 'Content-Type: application/sdp';

function responseTo(request: string, status: string, fields: readonly string[], body: string): string {
  const lines = request.split('\r\n');
  const repeated = lines.filter((line) => /^(?:via|from|call-id|cseq|record-route):/i.test(line));
  const to = lines.find((line) => /^to:/i.test(line)) ?? 'To: <sip:nobody>';
  const tagged = to.includes(';tag=') ? to : `${to};tag=far`;
  const head = [`SIP/2.0 ${status}`, ...repeated, tagged, ...fields, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
