import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

interface InviteOptions {
  readonly cseq?: number;
  readonly headers?: readonly string[];
  /** The offered RTP payload type; null for an INVITE without an offer. */
  readonly format?: string | null;
}

interface RequestOptions {
  readonly cseq: number;
  readonly type?: string;
  readonly body?: string;
}

/** Writes and reads SIP by hand over UDP: it shares no code with the callee. */
export class RawCaller {
  readonly #sip: Socket;
  readonly #rtp: Socket;
  readonly #sipPort: number;
  readonly #received: string[] = [];

  private constructor(sip: Socket, rtp: Socket, sipPort: number) {
    this.#sip = sip;
    this.#rtp = rtp;
    this.#sipPort = sipPort;
    sip.on('message', (datagram) => this.#received.push(datagram.toString()));
  }

  static async open(sipPort: number): Promise<RawCaller> {
    return new RawCaller(await bind(), await bind(), sipPort);
  }

  send(bytes: string | Buffer): void {
    this.#sip.send(bytes, this.#sipPort, '127.0.0.1');
  }

  /** Our end of the audio, in SDP. */
  description(format: string): string {
    const media = `m=audio ${this.#rtp.address().port} RTP/AVP ${format}`;
    return ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', media, ''].join('\r\n');
  }

  /** An INVITE; each `name` makes a new call. */
  invite(name: string, number: string, { cseq = 1, headers = [], format = '0' }: InviteOptions = {}): void {
    const uri = `sip:${number}@127.0.0.1:${this.#sipPort}`;
    const fields = [
      `Via: ${this.#via(`${name}-${cseq}`)}`,
      `From: <sip:+12025550199@127.0.0.1>;tag=from-${name}`,
      `To: <${uri}>`,
      `Call-ID: ${name}`,
      `CSeq: ${cseq} INVITE`,
      `Contact: <sip:caller@127.0.0.1:${this.#sip.address().port}>`,
      ...headers,
    ];
    const body = format === null ? '' : this.description(format);
    this.#request('INVITE', uri, fields, 'application/sdp', body);
  }

  /** A request within the dialog that a 200 has established. */
  inDialog(method: string, answer: string, { cseq, type = 'text/plain', body = '' }: RequestOptions): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'm').exec(answer)?.[1] ?? '';
    const target = /<(?<uri>[^>]+)>/.exec(field('Contact'))?.groups?.['uri'] ?? '';
    const callId = field('Call-ID');
    const fields = [
      `Via: ${this.#via(`${callId}-${method}-${cseq}`)}`,
      `From: ${field('From')}`,
      `To: ${field('To')}`,
      `Call-ID: ${callId}`,
      `CSeq: ${cseq} ${method}`,
    ];
    this.#request(method, target, fields, type, body);
  }

  /** The first message that begins with this text and answers that method, past or future. */
  async heard(beginning: string, method = 'INVITE'): Promise<string> {
    const answers = new RegExp(`^CSeq: \\d+ ${method}\\r$`, 'm');
    for (;;) {
      const found = this.#received.find((text) => text.startsWith(beginning) && answers.test(text));
      if (found !== undefined) return found;
      await once(this.#sip, 'message');
    }
  }

  /** The next RTP packet. */
  async voice(): Promise<Buffer> {
    const [packet]: Buffer[] = await once(this.#rtp, 'message');
    return packet ?? Buffer.alloc(0);
  }

  async close(): Promise<void> {
    for (const socket of [this.#sip, this.#rtp]) {
      socket.close();
      await once(socket, 'close');
    }
  }

  #via(branch: string): string {
    return `SIP/2.0/UDP 127.0.0.1:${this.#sip.address().port};branch=z9hG4bK-${branch};rport`;
  }

  #request(method: string, uri: string, fields: readonly string[], type: string, body: string): void {
    const content = body === '' ? [] : [`Content-Type: ${type}`];
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    this.send([`${method} ${uri} SIP/2.0`, 'Max-Forwards: 70', ...fields, ...content, length, '', body].join('\r\n'));
  }
}

async function bind(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
