import { addressRequest, openForSize } from '../agent/addressing.ts';
import type { AgentCore } from '../agent/core.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { routeRequest } from '../dialog/route.ts';
import type { Authorizer } from '../digest/authorizer.ts';
import { resolveUri } from '../resolve.ts';
import { formatCSeq } from '../syntax/cseq.ts';
import { Headers } from '../syntax/headers.ts';
import { NO_BODY, serializeMessage, type ReceivedResponse, type SipRequest } from '../syntax/message.ts';
import { parseSipUri } from '../syntax/uri.ts';
import type { ClientTransaction, ClientTransactionUser } from '../transaction/client-transaction.ts';
import { PATIENCE_MS } from '../transaction/timer-values.ts';
import { sameDestination, type Channel, type Destination } from '../transport/transport.ts';

export interface DialogClientOptions {
  readonly core: Pick<AgentCore, 'clock' | 'transport' | 'transactions' | 'resolver' | 'random' | 'product'>;
  readonly dialog: Dialog;
  /** The way that the dialog was set up by. */
  readonly channel: Channel;
  /** Stay on that connection as long as it is open: a caller behind a NAT cannot be reached by another. */
  readonly sticky: boolean;
  readonly contactUser: string | null;
  readonly authorizer: Authorizer;
  /** CSeq has moved on: the description is to be stored again. */
  readonly onSent: () => void;
}

export interface RequestParts {
  readonly headers?: Iterable<readonly [name: string, value: string]>;
  readonly body?: string;
}

export type RequestResult =
  | { readonly kind: 'response'; readonly response: ReceivedResponse }
  /** Silence, or a broken connection. */
  | { readonly kind: 'lost'; readonly detail: string };

type Opened =
  | { readonly kind: 'open'; readonly channel: Channel; readonly addresses: ReadonlySet<string> }
  | { readonly kind: 'lost'; readonly detail: string };

/** Methods that tell the far end where we are (RFC 3261 section 12.1, RFC 3311 section 5.1). */
const CARRIES_CONTACT: ReadonlySet<string> = new Set(['INVITE', 'UPDATE']);

/** Sends requests within one dialog. */
export class DialogClient {
  readonly #options: DialogClientOptions;
  #channel: Channel;
  /** The re-INVITE that is out. */
  #offer: ClientTransaction | undefined;
  #ack: { readonly cseq: number; readonly sent: Promise<{ channel: Channel; bytes: Buffer } | undefined> } | undefined;

  constructor(options: DialogClientOptions) {
    this.#options = options;
    this.#channel = options.channel;
  }

  /** The way that the dialog was set up by; once that connection is gone, the one that was opened in its place. */
  get channel(): Channel {
    return this.#channel;
  }

  /**
   * Tells the final response once. A challenge is answered once, and a BYE that a connection broke under is repeated. A 2xx
   * to an INVITE is acknowledged here.
   */
  send(method: string, parts: RequestParts, onResult: (result: RequestResult) => void): void {
    void this.#send(method, parts, onResult, false);
  }

  /** Sends the ACK for a 2xx to `invite`, the same one for each repetition (RFC 3261 section 13.2.2.4). */
  acknowledge(invite: SipRequest, cseq: number): void {
    if (this.#ack?.cseq !== cseq) this.#ack = { cseq, sent: this.#buildAck(invite, cseq) };
    // A lost ACK is asked for again by the next repetition of the 2xx.
    void this.#ack.sent.then((ack) => ack?.channel.send(ack.bytes, () => undefined));
  }

  /**
   * The dialog ends. The far end answers a re-INVITE that is out when our BYE comes (RFC 3261 section 15.1.2); one that it
   * never answers would be waited for as long as the process lives.
   */
  giveUpOffer(): void {
    const offer = this.#offer;
    this.#offer = undefined;
    if (offer) this.#options.core.clock.after(PATIENCE_MS, () => offer.terminate());
  }

  async #send(
    method: string,
    parts: RequestParts,
    onResult: (result: RequestResult) => void,
    again: boolean,
  ): Promise<void> {
    // The far end is to see the ACK before whatever follows it.
    await this.#ack?.sent;
    const opened = await this.#open(method);
    if (opened.kind === 'lost') {
      onResult(opened);
      return;
    }
    const { dialog, authorizer, core, contactUser, onSent } = this.#options;
    const cseq = dialog.nextCSeq();
    const draft = this.#build(method, cseq, parts);
    authorizer.authorize(draft);
    const larger = await openForSize(core.transport, opened.channel, draft);
    const channel = larger ?? opened.channel;
    const request = addressRequest(draft, channel, contactUser);
    onSent();
    const user: ClientTransactionUser = {
      onResponse: (response) => {
        const { status, headers } = response;
        if (status < 200) return;
        if (this.#offer === transaction) this.#offer = undefined;
        if (method === 'INVITE' && status < 300) this.acknowledge(request, cseq);
        const challenged = status === 401 || status === 407;
        if (challenged && !again && authorizer.acceptAgain(status, headers))
          void this.#send(method, parts, onResult, true);
        else onResult({ kind: 'response', response });
      },
      onTimeout: () => onResult({ kind: 'lost', detail: `nothing came back to ${method}` }),
      onTransportError: (error) => {
        // Whoever did not get the BYE stays in the call: it is sent once more, by a connection that stands.
        if (method === 'BYE' && !again && !channel.usable) void this.#send(method, parts, onResult, true);
        else onResult({ kind: 'lost', detail: `${method}: ${error.message}` });
      },
    };
    const transaction = core.transactions.sendRequest(request, channel, user, opened.addresses);
    if (method === 'INVITE') this.#offer = transaction;
  }

  async #buildAck(invite: SipRequest, cseq: number): Promise<{ channel: Channel; bytes: Buffer } | undefined> {
    const opened = await this.#open('ACK');
    if (opened.kind === 'lost') return undefined;
    const draft = this.#build('ACK', cseq, {});
    // It carries the INVITE's own credentials: nobody can challenge an ACK (section 22.1).
    for (const name of ['authorization', 'proxy-authorization']) {
      for (const value of invite.headers.all(name)) draft.headers.add(name, value);
    }
    const request = addressRequest(draft, opened.channel, null);
    return { channel: opened.channel, bytes: serializeMessage(request) };
  }

  #build(method: string, cseq: number, { headers: extra = [], body }: RequestParts): SipRequest {
    const { dialog, core } = this.#options;
    const { requestUri, routes } = routeRequest(dialog.routeSet, dialog.remoteTarget);
    const headers = new Headers(routes.map((route) => ['route', route] as const));
    headers.add('max-forwards', '70').add('from', dialog.localAddress).add('to', dialog.remoteAddress);
    headers.add('call-id', dialog.callId).add('cseq', formatCSeq({ number: cseq, method }));
    if (CARRIES_CONTACT.has(method)) headers.add('contact', '<sip:unset.invalid>');
    headers.add('user-agent', core.product);
    for (const [name, value] of extra) headers.add(name, value);
    return {
      kind: 'request',
      method,
      uri: requestUri,
      headers,
      body: body === undefined ? NO_BODY : Buffer.from(body),
    };
  }

  async #open(method: string): Promise<Opened> {
    const { core, dialog, sticky } = this.#options;
    const channel = this.#channel;
    const alone = new Set<string>();
    if (sticky && channel.reliable && channel.usable) return { kind: 'open', channel, addresses: alone };
    const uri = parseSipUri(routeRequest(dialog.routeSet, dialog.remoteTarget).nextHop);
    const resolved = uri && (await resolveUri(uri, core.resolver, core.random));
    // A Contact that leads nowhere: what set the call up may still know the way.
    const destinations = resolved?.kind === 'resolved' ? resolved.destinations : [channel.remote];
    const addresses = new Set(destinations.map(({ address }) => address));
    let detail = `${method}: no address`;
    for (const destination of destinations) {
      if (channel.usable && sameDestination(destination, channel.remote)) return { kind: 'open', channel, addresses };
      try {
        const opened = await core.transport.open(withServerName(destination, channel.remote));
        if (!channel.usable) this.#channel = opened;
        return { kind: 'open', channel: opened, addresses };
      } catch (error) {
        detail = `${method}: ${error instanceof Error ? error.message : 'the connection failed'}`;
      }
    }
    return { kind: 'lost', detail };
  }
}

/** A Contact is mostly an address, which no certificate carries: the name that was verified before is verified again. */
function withServerName(destination: Destination, known: Destination): Destination {
  if (destination.serverName !== undefined || known.serverName === undefined) return destination;
  return destination.address === known.address ? { ...destination, serverName: known.serverName } : destination;
}
