import type { Clock } from '../clock.ts';
import {
  serializeMessage,
  type ReceivedRequest,
  type ReceivedResponse,
  type SipRequest,
  type SipResponse,
} from '../syntax/message.ts';
import { defaultPort, type Channel, type Inbound, type Transport } from '../transport/transport.ts';
import type { ClientTransaction, ClientTransactionUser } from './client-transaction.ts';
import { InviteClientTransaction } from './invite-client-transaction.ts';
import { InviteServerTransaction } from './invite-server-transaction.ts';
import { clientKey, serverKey } from './matching.ts';
import { NonInviteClientTransaction } from './non-invite-client-transaction.ts';
import { NonInviteServerTransaction } from './non-invite-server-transaction.ts';
import { createResponse } from './responses.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** The user agent's core, as the transactions see it. */
export interface TransactionLayerUser {
  onInvite(transaction: InviteServerTransaction, channel: Channel): void;
  /** Every other request except ACK. */
  onRequest(transaction: ServerTransaction, channel: Channel): void;
  /** The ACK to a 2xx, which is its own transaction. */
  onAck(ack: ReceivedRequest): void;
}

export interface TransactionLayerOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly user: TransactionLayerUser;
  /** Called for responses that were dropped because of their source address. */
  readonly onForeignResponse?: (foreign: ForeignResponse) => void;
}

/** A response to a request of ours from an address to which the request was not sent. */
export interface ForeignResponse {
  readonly sipCode: number;
  readonly method: string;
  readonly from: string;
  readonly askedAt: string;
}

/** A pending request, and the addresses that may answer it. */
interface PendingRequest {
  readonly transaction: ClientTransaction;
  readonly address: string;
  readonly alsoFrom: ReadonlySet<string>;
}

const NOBODY_ELSE: ReadonlySet<string> = new Set();

/** Beyond this many, requests are answered without keeping state. */
const MAX_SERVER_TRANSACTIONS = 20_000;

/** All transactions of a user agent: matches incoming messages to them (RFC 3261 sections 17.1.3 and 17.2.3). */
export class TransactionLayer {
  readonly #options: TransactionLayerOptions;
  readonly #clients = new Map<string, PendingRequest>();
  readonly #servers = new Map<string, ServerTransaction>();

  constructor(options: TransactionLayerOptions) {
    this.#options = options;
    options.transport.listen((inbound) => this.#receive(inbound));
  }

  /**
   * Sends the request within this call. Its topmost Via must have a new branch. Only the address that it is sent to may
   * answer, or one of `alsoFrom`: other addresses of the same name.
   */
  sendRequest(
    request: SipRequest,
    channel: Channel,
    user: ClientTransactionUser,
    alsoFrom = NOBODY_ELSE,
  ): ClientTransaction {
    const key = clientKey(request);
    const onTerminated = () => void this.#clients.delete(key);
    const options = { request, channel, clock: this.#options.clock, user, onTerminated };
    const transaction =
      request.method === 'INVITE' ? new InviteClientTransaction(options) : new NonInviteClientTransaction(options);
    this.#clients.set(key, { transaction, address: channel.remote.address, alsoFrom });
    transaction.start();
    return transaction;
  }

  /** The INVITE that a CANCEL refers to, while it is known here. */
  inviteCanceledBy(cancel: ReceivedRequest): InviteServerTransaction | undefined {
    const found = this.#servers.get(serverKey(cancel, 'INVITE'));
    return found instanceof InviteServerTransaction ? found : undefined;
  }

  /** Drops all transactions; nothing more is sent. */
  close(): void {
    for (const { transaction } of this.#clients.values()) transaction.terminate();
    for (const transaction of this.#servers.values()) transaction.terminate();
  }

  #receive({ message, channel, refusal }: Inbound): void {
    if (message.kind === 'response') this.#receiveResponse(message, channel.remote.address);
    else if (refusal === null) this.#receiveRequest(message, channel);
    else if (message.method !== 'ACK') {
      const headers = [['warning', `399 outdial "${refusal.reason}"`]] as const;
      this.#sendResponse(createResponse(message, refusal.status, { headers }), message, channel);
    }
  }

  #receiveResponse(response: ReceivedResponse, from: string): void {
    // A response that matches no request is late or forged: drop it.
    const pending = this.#clients.get(clientKey(response));
    if (pending === undefined) return;
    const { transaction, address, alsoFrom } = pending;
    if (from === address || alsoFrom.has(from)) return transaction.receive(response);
    // A party that saw the request could answer it from elsewhere, and redirect our BYE to a Contact of its choice.
    const { status: sipCode, cseq } = response;
    this.#options.onForeignResponse?.({ sipCode, method: cseq.method, from, askedAt: address });
  }

  #receiveRequest(request: ReceivedRequest, channel: Channel): void {
    const { user, clock } = this.#options;
    if (request.method === 'ACK') {
      const invite = this.#servers.get(serverKey(request, 'INVITE'));
      if (invite instanceof InviteServerTransaction) invite.acknowledged();
      user.onAck(request);
      return;
    }
    const key = serverKey(request, request.method);
    const known = this.#servers.get(key);
    if (known !== undefined) {
      known.repeated();
      return;
    }
    if (this.#servers.size >= MAX_SERVER_TRANSACTIONS) {
      this.#sendResponse(createResponse(request, 503, { headers: [['retry-after', '5']] }), request, channel);
      return;
    }
    const options = {
      request,
      clock,
      reliable: channel.reliable,
      send: (response: SipResponse) => this.#sendResponse(response, request, channel),
      onTerminated: () => void this.#servers.delete(key),
    };
    if (request.method === 'INVITE') {
      const transaction = new InviteServerTransaction(options);
      this.#servers.set(key, transaction);
      user.onInvite(transaction, channel);
    } else {
      const transaction = new NonInviteServerTransaction(options);
      this.#servers.set(key, transaction);
      user.onRequest(transaction, channel);
    }
  }

  /**
   * Over the connection that the request came by, or, when that is gone, to the address in Via (RFC 3261 section
   * 18.2.2).
   */
  #sendResponse(response: SipResponse, { via }: ReceivedRequest, channel: Channel): void {
    const bytes = serializeMessage(response);
    if (channel.usable) {
      channel.send(bytes, ignore);
      return;
    }
    const { transport, address } = channel.remote;
    const destination = { transport, address, port: via.port ?? defaultPort(transport) };
    this.#options.transport.open(destination).then((reopened) => reopened.send(bytes, ignore), ignore);
  }
}

/** If a response cannot be sent, the client retransmits the request or gives up. */
function ignore(): void {}
