import { randomInt } from 'node:crypto';
import { Dialog } from '../dialog/dialog.ts';
import type { Verifier } from '../digest/verifier.ts';
import { newTag } from '../identifiers.ts';
import { IncomingSession } from '../session/incoming-session.ts';
import { ACCEPTED_TYPES, hasForeignBody } from '../sdp/session-body.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import type { InviteServerTransaction } from '../transaction/invite-server-transaction.ts';
import { createResponse, type ResponseParts } from '../transaction/responses.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { TransactionLayerUser } from '../transaction/transaction-layer.ts';
import type { Channel } from '../transport/transport.ts';
import { ALLOW, CAPABILITY_HEADERS, unknownExtensions } from '../core/capabilities.ts';
import type { AgentCore } from '../core/agent-core.ts';

export type InviteHandler = (session: IncomingSession) => void;

export interface InboundOptions {
  /** A function, because the transaction layer is created later. */
  readonly core: () => AgentCore;
  readonly handler: () => InviteHandler | undefined;
  /** Demands digest authentication for every INVITE that starts a call. */
  readonly verifier: Verifier | undefined;
}

/** Receives requests that match no transaction: passes them to their session, or starts a session, or rejects them. */
export class InboundRequests implements TransactionLayerUser {
  readonly #options: InboundOptions;
  /** For CANCEL, which identifies the INVITE's transaction and not the dialog. */
  readonly #sessions = new WeakMap<InviteServerTransaction, IncomingSession>();

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  onInvite(transaction: InviteServerTransaction, channel: Channel): void {
    if (this.#toSession(transaction)) return;
    const refusal = this.#refusalOf(transaction.request);
    if (refusal === undefined) void this.#openSession(transaction, channel);
    else
      transaction.respond(createResponse(transaction.request, refusal.status, { toTag: newTag(), ...refusal.parts }));
  }

  onRequest(transaction: ServerTransaction): void {
    const { request } = transaction;
    const respond = (status: number, parts: ResponseParts = {}) =>
      transaction.respond(createResponse(request, status, { toTag: newTag(), ...parts }));
    if (request.method === 'CANCEL') return this.#cancel(transaction);
    if (this.#toSession(transaction)) return;
    switch (request.method) {
      case 'OPTIONS':
        return respond(200, { headers: CAPABILITY_HEADERS });
      case 'BYE':
      case 'UPDATE':
      case 'PRACK':
      case 'INFO':
      case 'NOTIFY':
        return respond(481);
      default:
        return respond(405, { headers: [['allow', ALLOW]] });
    }
  }

  onAck(ack: ReceivedRequest): void {
    this.#options.core().sessions.find(ack)?.receiveAck(ack);
  }

  /** True when the request carries a To tag: then it belongs to a dialog, or is rejected. */
  #toSession(transaction: ServerTransaction): boolean {
    const { request } = transaction;
    if (tagOf(request.to) === null) return false;
    const session = this.#options.core().sessions.find(request);
    if (session === undefined) transaction.respond(createResponse(request, 481));
    else session.receive(transaction);
    return true;
  }

  #refusalOf(request: ReceivedRequest): { status: number; parts?: ResponseParts } | undefined {
    if (!/^(?:sips?|tel):/i.test(request.uri)) return { status: 416 };
    const unknown = unknownExtensions(request.headers);
    if (unknown.length > 0) return { status: 420, parts: { headers: [['unsupported', unknown.join(', ')]] } };
    if (hasForeignBody(request)) return { status: 415, parts: { headers: [['accept', ACCEPTED_TYPES]] } };
    const challenge = this.#challengeFor(request);
    if (challenge !== undefined) {
      const headers = challenge.map((value) => ['proxy-authenticate', value] as const);
      return { status: 407, parts: { headers } };
    }
    if (this.#options.handler() === undefined) return { status: 480 };
    return this.#options.core().sessions.isMerged(request) ? { status: 482 } : undefined;
  }

  /** Wrong credentials get a fresh nonce without `stale`, which makes the caller stop. */
  #challengeFor(request: ReceivedRequest): string[] | undefined {
    const { verifier } = this.#options;
    if (verifier === undefined) return undefined;
    const verdicts = request.headers.all('proxy-authorization').map((value) => verifier.verify(value, request.method));
    if (verdicts.includes('accepted')) return undefined;
    return verifier.challenges({ stale: verdicts.includes('stale') });
  }

  async #openSession(transaction: InviteServerTransaction, inbound: Channel): Promise<void> {
    const { request } = transaction;
    const core = this.#options.core();
    // A socket bound to every address learns here which address the caller can reach.
    const channel = inbound.reliable ? inbound : await core.transport.open(inbound.remote).catch(() => inbound);
    const localTag = newTag();
    const dialog = Dialog.ofServer(request, localTag, randomInt(1, 1_000));
    const handler = this.#options.handler();
    // The caller may have canceled while the channel was opened.
    if (transaction.isAnswered || dialog === undefined || handler === undefined) {
      core.sessions.forgetInvite(request);
      const refusal =
        dialog === undefined ? { status: 400, text: '399 outdial "Contact is missing"' } : { status: 480 };
      const headers = refusal.text === undefined ? [] : ([['warning', refusal.text]] as const);
      transaction.respond(createResponse(request, refusal.status, { toTag: localTag, headers }));
      return;
    }
    const session = new IncomingSession({ core, transaction, channel, dialog, localTag });
    this.#sessions.set(transaction, session);
    handler(session);
  }

  #cancel(transaction: ServerTransaction): void {
    const { request } = transaction;
    const invite = this.#options.core().transactions.inviteCanceledBy(request);
    const session = invite && this.#sessions.get(invite);
    const toTag = session?.localTag ?? newTag();
    transaction.respond(createResponse(request, invite === undefined ? 481 : 200, { toTag }));
    if (session !== undefined) session.cancelled(request);
    else invite?.respond(createResponse(invite.request, 487, { toTag }));
  }
}
