import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import type { ReceivedRequest } from '../src/syntax/message.ts';
import { Headers } from '../src/syntax/headers.ts';
import { NO_BODY, serializeMessage } from '../src/syntax/message.ts';
import { parseMessage } from '../src/syntax/parse-message.ts';
import { parseNameAddr } from '../src/syntax/name-addr.ts';
import { StreamFramer } from '../src/syntax/stream-framer.ts';
import { parseSipUri } from '../src/syntax/uri.ts';
import { createResponse, type ResponseParts } from '../src/transaction/responses.ts';
import { SDP_PARTS } from './bench.ts';
import { TLS_CERTIFICATE, TLS_KEY } from './tls-identity.ts';

export interface TrunkRequest {
  readonly request: ReceivedRequest;
  /** The caller's source port of the connection. */
  readonly sourcePort: number;
}

const TAG = 'trunk';
const IDENTITY = { key: TLS_KEY, cert: TLS_CERTIFICATE };

/**
 * The far end of a trunk over real TLS. Like most, it reaches a caller over the connection whose port is in the
 * caller's Contact, while that connection is open.
 */
export class TlsTrunk {
  readonly requests: TrunkRequest[] = [];
  /** Keep-alives received, and connections rejected and closed. */
  readonly seen = { pings: 0, refused: 0, closed: 0 };
  allow = 'INVITE, ACK, BYE, CANCEL, UPDATE';
  refusesConnections = false;
  answersPings = false;
  /** Status to answer with, instead of 200; `lost` drops every connection without an answer. */
  statusOf: (request: ReceivedRequest) => number | 'lost' = () => 200;
  readonly #server: Server;
  readonly #connections = new Map<number, TLSSocket>();
  readonly #waiting = new Set<() => void>();

  private constructor() {
    this.#server = createServer(IDENTITY, (socket) => this.#accept(socket));
    this.#server.prependListener('connection', (socket: Socket) => {
      if (!this.refusesConnections) return;
      socket.destroy();
      this.#note('refused');
    });
    this.#server.on('tlsClientError', () => undefined);
  }

  static async open(): Promise<TlsTrunk> {
    const trunk = new TlsTrunk();
    trunk.#server.listen(0, '127.0.0.1');
    await once(trunk.#server, 'listening');
    return trunk;
  }

  get target(): string {
    return `sip:+12025550100@127.0.0.1:${this.port};transport=tls`;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** The last request with that method; fails when there was none. */
  last(method: string): TrunkRequest {
    const found = this.requests.findLast(({ request }) => request.method === method);
    if (found === undefined) throw new Error(`no ${method} came`);
    return found;
  }

  methods(): string[] {
    return this.requests.map(({ request }) => request.method);
  }

  /** Resolves once the condition holds; checked whenever something arrived. */
  async until(holds: (trunk: TlsTrunk) => boolean): Promise<void> {
    while (!holds(this)) await new Promise<void>((wake) => this.#waiting.add(wake));
  }

  /** Drops every connection. */
  drop(): void {
    for (const socket of this.#connections.values()) socket.destroy();
    this.#connections.clear();
  }

  /** Sends BYE over the connection that the caller's last Contact named; false where there is none. */
  sendBye(): boolean {
    const socket = this.#connections.get(contactPortOf(this.#lastContact()));
    return socket?.write(this.#bye()) ?? false;
  }

  /** Sends BYE over a new connection to the caller's Contact. */
  async sendByeByOwnConnection(): Promise<void> {
    const port = contactPortOf(this.#lastContact());
    const socket = connect({ host: '127.0.0.1', port, ca: TLS_CERTIFICATE });
    await once(socket, 'secureConnect');
    this.#accept(socket);
    socket.write(this.#bye());
  }

  async close(): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: TLSSocket): void {
    const sourcePort = socket.remotePort ?? 0;
    const framer = new StreamFramer();
    this.#connections.set(sourcePort, socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#note('closed'));
    socket.on('data', (chunk: Buffer) => {
      for (const framed of framer.push(chunk)) {
        if (framed.kind === 'message') this.#receive(framed.bytes, socket, sourcePort);
        if (framed.kind !== 'ping') continue;
        if (this.answersPings) socket.write('\r\n');
        this.#note('pings');
      }
    });
  }

  #receive(bytes: Buffer, socket: TLSSocket, sourcePort: number): void {
    const parsed = parseMessage(bytes);
    if (parsed.kind !== 'request') return;
    const { request } = parsed;
    this.requests.push({ request, sourcePort });
    if (request.method !== 'ACK') this.#answer(request, socket);
    this.#notify();
  }

  #answer(request: ReceivedRequest, socket: TLSSocket): void {
    const status = this.statusOf(request);
    if (status === 'lost') this.drop();
    else socket.write(serializeMessage(this.#answerWith(status, request)));
  }

  #answerWith(status: number, request: ReceivedRequest) {
    const headers = [
      ['contact', `<${this.target}>`],
      ['allow', this.allow],
    ] as const;
    const described = request.method === 'INVITE' && status === 200;
    const parts: ResponseParts = described
      ? { toTag: TAG, headers: [...headers, ...SDP_PARTS.headers], body: SDP_PARTS.body }
      : { toTag: TAG, headers };
    return createResponse(request, status, parts);
  }

  #lastContact(): ReceivedRequest {
    const found = this.requests.findLast(({ request }) => /^(?:INVITE|UPDATE)$/.test(request.method));
    if (found === undefined) throw new Error('no call came');
    return found.request;
  }

  #bye(): Buffer {
    const { request } = this.last('INVITE');
    const toTag = request.headers.get('to')?.includes('tag=') === true ? '' : `;tag=${TAG}`;
    const headers = new Headers([
      ['via', `SIP/2.0/TLS 127.0.0.1:${this.port};branch=z9hG4bKbye${this.requests.length}`],
      ['max-forwards', '70'],
      ['from', `${request.headers.get('to')}${toTag}`],
      ['to', request.headers.get('from') ?? ''],
      ['call-id', request.callId],
      ['cseq', '1 BYE'],
    ]);
    return serializeMessage({ kind: 'request', method: 'BYE', uri: 'sip:caller@127.0.0.1', headers, body: NO_BODY });
  }

  #note(what: 'pings' | 'refused' | 'closed'): void {
    this.seen[what] += 1;
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

export function contactPortOf(request: ReceivedRequest): number {
  const contact = parseNameAddr(request.headers.get('contact') ?? '');
  return (contact && parseSipUri(contact.uri)?.port) ?? 0;
}
