import { Headers } from '../src/syntax/headers.ts';
import { NO_BODY, serializeMessage, type ReceivedRequest, type ReceivedResponse } from '../src/syntax/message.ts';
import { createResponse, type ResponseParts } from '../src/transaction/responses.ts';
import type { Channel, Transport } from '../src/transport/transport.ts';

/** A far end without transactions: it sends what a test asks for, and records what it receives. */
export class ScriptedPeer {
  readonly requests: ReceivedRequest[] = [];
  readonly responses: ReceivedResponse[] = [];
  readonly #transport: Transport;
  readonly #address: string;
  readonly #channels = new Map<ReceivedRequest, Channel>();
  /** Called for each request, to answer automatically. */
  onRequest: (request: ReceivedRequest) => void = () => undefined;

  constructor(transport: Transport, address: string) {
    this.#transport = transport;
    this.#address = address;
    transport.listen(({ message, channel }) => {
      if (message.kind === 'response') this.responses.push(message);
      else {
        this.requests.push(message);
        this.#channels.set(message, channel);
        this.onRequest(message);
      }
    });
  }

  /** The last request with that method; fails when there was none. */
  last(method: string): ReceivedRequest {
    const found = this.all(method).at(-1);
    if (found === undefined) throw new Error(`no ${method} came; there were ${this.methods().join(', ') || 'none'}`);
    return found;
  }

  all(method: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  methods(): string[] {
    return this.requests.map(({ method }) => method);
  }

  /** A response with a Contact of this peer. */
  respond(request: ReceivedRequest, status: number, parts: ResponseParts = {}): void {
    const contact = ['contact', `<sip:callee@${this.#address}>`] as const;
    const response = createResponse(request, status, { ...parts, headers: [contact, ...(parts.headers ?? [])] });
    this.#channels.get(request)?.send(serializeMessage(response), () => undefined);
  }

  /** Sends a request as written; adds Via, Max-Forwards and Content-Length. */
  async send(
    to: string,
    request: { readonly method: string; readonly uri: string; readonly branch: string; readonly body?: string },
    fields: Iterable<readonly [string, string]>,
  ): Promise<void> {
    const { method, uri, branch, body } = request;
    const headers = new Headers([
      ['via', `SIP/2.0/UDP ${this.#address};branch=z9hG4bK${branch};rport`],
      ['max-forwards', '70'],
    ]);
    for (const [name, value] of fields) headers.add(name, value);
    const bytes = body === undefined ? NO_BODY : Buffer.from(body);
    const channel = await this.#transport.open({ transport: 'UDP', address: to, port: 5060 });
    channel.send(serializeMessage({ kind: 'request', method, uri, headers, body: bytes }), () => undefined);
  }
}
