import { addressRequest, openForSize } from '../core/addressing.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { routeRequest } from '../dialog/route.ts';
import type { Authorizer } from '../digest/authorizer.ts';
import { resolveUri } from '../resolve.ts';
import { formatCSeq } from '../syntax/cseq.ts';
import { Headers } from '../syntax/headers.ts';
import { NO_BODY, serializeMessage, type ReceivedResponse, type SipRequest } from '../syntax/message.ts';
import { parseSipUri } from '../syntax/uri.ts';
import type { ClientTransaction, ClientTransactionUser } from '../transaction/client-transaction.ts';
import { TRANSACTION_TIMEOUT_MS } from '../transaction/timer-values.ts';
import { sameDestination, type Channel, type Destination } from '../transport/transport.ts';

export interface DialogClientOptions {
  readonly core: Pick<AgentCore, 'clock' | 'transport' | 'transactions' | 'resolver' | 'random' | 'product'>;
  readonly dialog: Dialog;
  /** The channel over which the dialog was established. */
  readonly channel: Channel;
  /** Use that connection while it is open: a caller behind a NAT cannot be reached over another. */
  readonly sticky: boolean;
  readonly contactUser: string | null;
  readonly authorizer: Authorizer;
  /** CSeq changed: the description must be stored again. */
  readonly onSent: () => void;
}

export interface RequestParts {
  readonly headers?: Iterable<readonly [name: string, value: string]>;
  readonly body?: string;
}

export type RequestResult =
  | { readonly kind: 'response'; readonly response: ReceivedResponse }
  /** No response, or a broken connection. */
  | { readonly kind: 'lost'; readonly detail: string };

type Opened =
  | { readonly kind: 'open'; readonly channel: Channel; readonly addresses: ReadonlySet<string> }
  | { readonly kind: 'lost'; readonly detail: string };

/** Methods that carry our Contact (RFC 3261 section 12.1, RFC 3311 section 5.1, RFC 3515 section 2.2). */
const CARRIES_CONTACT: ReadonlySet<string> = new Set(['INVITE', 'UPDATE', 'REFER', 'NOTIFY']);

/** Sends requests within one dialog. */
export class DialogClient {
  readonly #options: DialogClientOptions;
  #channel: Channel;
  /** The re-INVITE in progress. */
  #offer: ClientTransaction | undefined;
  #ack: { readonly cseq: number; readonly sent: Promise<{ channel: Channel; bytes: Buffer } | undefined> } | undefined;

  constructor(options: DialogClientOptions) {
    this.#options = options;
    this.#channel = options.channel;
  }

  /** The channel over which the dialog was established, or the connection that replaced it. */
  get channel(): Channel {
    return this.#channel;
  }

  /**
   * Reports the final response once. Answers a challenge once, and repeats a BYE when its connection broke.
   * Acknowledges a 2xx to an INVITE.
   */
  send(method: string, parts: RequestParts, onResult: (result: RequestResult) => void): void {
    void this.#send(method, parts, onResult, false);
  }

  /** Sends the ACK for a 2xx to `invite`: the same ACK for each retransmission (RFC 3261 section 13.2.2.4). */
  acknowledge(invite: SipRequest, cseq: number): void {
    if (this.#ack?.cseq !== cseq) this.#ack = { cseq, sent: this.#buildAck(invite, cseq) };
    // If the ACK is lost, the next retransmission of the 2xx asks for it again.
    void this.#ack.sent.then((ack) => ack?.channel.send(ack.bytes, () => undefined));
  }

  /**
   * The dialog ends. The far end answers a pending re-INVITE when it receives our BYE (RFC 3261 section 15.1.2);
   * without this, a re-INVITE that is never answered would stay pending forever.
   */
  giveUpOffer(): void {
    const offer = this.#offer;
    this.#offer = undefined;
    if (offer) this.#options.core.clock.after(TRANSACTION_TIMEOUT_MS, () => offer.terminate());
  }

  async #send(
    method: string,
    parts: RequestParts,
    onResult: (result: RequestResult) => void,
    again: boolean,
  ): Promise<void> {
    // The far end must receive the ACK before any later request.
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
      onTimeout: () => onResult({ kind: 'lost', detail: `no response to ${method}` }),
      onTransportError: (error) => {
        // A far end that did not receive the BYE stays in the call: send it once more, over a working connection.
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
    // It carries the INVITE's own credentials: an ACK cannot be challenged (section 22.1).
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
    // If the Contact does not resolve, the path that established the call may still work.
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

/** A Contact usually holds an address, which no certificate carries: verify the name that was verified before. */
function withServerName(destination: Destination, known: Destination): Destination {
  if (destination.serverName !== undefined || known.serverName === undefined) return destination;
  return destination.address === known.address ? { ...destination, serverName: known.serverName } : destination;
}
