import { contactFor } from '../core/addressing.ts';
import { ALLOW, CAPABILITY_HEADERS, SUPPORTED, unknownExtensions } from '../core/capabilities.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { answerSessionTimer, MIN_SESSION_SECONDS } from '../dialog/session-timer.ts';
import { ACCEPTED_TYPES, hasForeignBody, SDP_TYPE, sessionBodyOf } from '../sdp/session-body.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import { InviteServerTransaction } from '../transaction/invite-server-transaction.ts';
import { createResponse, type ResponseParts } from '../transaction/responses.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Channel } from '../transport/transport.ts';
import { AcceptedInvite } from './accepted-invite.ts';
import type { DialogMedia } from './dialog-media.ts';
import { readInfoDigits } from './info-digits.ts';
import type { Referrals } from './referrals.ts';
import type { SessionRefresher } from './session-refresher.ts';

export interface DialogServerOptions {
  readonly core: Pick<AgentCore, 'clock'>;
  readonly dialog: Dialog;
  /** The channel over which the far end should reach us now. */
  readonly channel: () => Channel;
  readonly contactUser: string | null;
  readonly media: DialogMedia;
  readonly refresher: SessionRefresher;
  /** An offer of ours is pending. */
  readonly isOffering: () => boolean;
  readonly on: { readonly digits: (digits: string) => void; readonly changed: () => void };
  readonly referrals: Pick<Referrals, 'notified'>;
  /** The status with which a REFER is rejected; undefined if it was taken. */
  readonly onRefer: (transaction: ServerTransaction) => 400 | 405 | undefined;
  readonly onBye: (request: ReceivedRequest) => void;
  readonly onNoAck: () => void;
}

/** Answers the requests that the far end sends within one dialog. */
export class DialogServer {
  readonly #options: DialogServerOptions;
  #accepted: AcceptedInvite | undefined;
  /** Our own offer was in a 2xx: its answer comes with the ACK. */
  #answerDue = false;
  #closed = false;

  constructor(options: DialogServerOptions) {
    this.#options = options;
  }

  get awaitsAck(): boolean {
    return this.#accepted !== undefined;
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    const refuse = (status: number, parts?: ResponseParts) =>
      transaction.respond(createResponse(request, status, parts));
    if (!this.#options.dialog.takeRemoteCSeq(request.cseq.number)) return refuse(500);
    // After our BYE, only a BYE that crossed it still has a meaning.
    if (this.#closed && request.method !== 'BYE') return refuse(481);
    const unknown = unknownExtensions(request.headers);
    if (unknown.length > 0) return refuse(420, { headers: [['unsupported', unknown.join(', ')]] });
    switch (request.method) {
      case 'BYE':
        // First: a peer that has the response may rely on the end of the session.
        try {
          this.#options.onBye(request);
        } finally {
          transaction.respond(createResponse(request, 200));
        }
        break;
      case 'INVITE':
      case 'UPDATE':
        this.#receiveOffer(transaction);
        break;
      case 'INFO': {
        transaction.respond(createResponse(request, 200));
        const digits = readInfoDigits(request);
        if (digits !== '') this.#options.on.digits(digits);
        break;
      }
      case 'OPTIONS':
        refuse(200, { headers: CAPABILITY_HEADERS });
        break;
      case 'NOTIFY':
        this.#options.referrals.notified(request, (status) =>
          refuse(status, status === 489 ? { headers: [['allow-events', 'refer']] } : {}),
        );
        break;
      case 'REFER':
        this.#receiveRefer(transaction);
        break;
      case 'PRACK':
        // The session has already taken the requests that acknowledge something.
        refuse(481);
        break;
      default:
        refuse(405, { headers: [['allow', ALLOW]] });
    }
  }

  receiveAck(ack: ReceivedRequest): void {
    if (this.#accepted?.cseq !== ack.cseq.number) return;
    this.#accepted.stop();
    this.#accepted = undefined;
    if (this.#answerDue) this.#options.media.acceptAnswer(sessionBodyOf(ack));
    this.#answerDue = false;
  }

  /** Retransmits the 2xx that was just sent until its ACK comes. */
  awaitAck(transaction: InviteServerTransaction, { offered }: { readonly offered: boolean }): void {
    this.#answerDue = offered;
    this.#accepted = new AcceptedInvite(transaction, this.#options.core.clock, () => {
      this.#accepted = undefined;
      this.#options.onNoAck();
    });
  }

  close(): void {
    this.#closed = true;
    this.#accepted?.stop();
    this.#accepted = undefined;
  }

  #receiveRefer(transaction: ServerTransaction): void {
    const status = this.#options.onRefer(transaction);
    if (status === undefined) return;
    const parts: ResponseParts = status === 405 ? { headers: [['allow', ALLOW]] } : {};
    transaction.respond(createResponse(transaction.request, status, parts));
  }

  /** A re-INVITE or an UPDATE: applies media, target and session timer where present. */
  #receiveOffer(transaction: ServerTransaction): void {
    const { dialog, media, refresher, isOffering, channel, contactUser, on } = this.#options;
    const { request } = transaction;
    const refuse = (status: number, parts?: ResponseParts) =>
      transaction.respond(createResponse(request, status, parts));
    const isInvite = transaction instanceof InviteServerTransaction;
    const description = sessionBodyOf(request);
    const touchesMedia = isInvite || description.length > 0;
    // The first offer of the call, or one of either side, is still pending (RFC 3311 section 5.2).
    const isPending = isOffering() || this.awaitsAck || media.audio === undefined;
    if (touchesMedia && isPending) return refuse(491);
    if (hasForeignBody(request)) return refuse(415, { headers: [['accept', ACCEPTED_TYPES]] });
    const timer = answerSessionTimer(request.headers, refresher.intervalSeconds);
    if (timer.kind === 'too_small') return refuse(422, { headers: [['min-se', String(MIN_SESSION_SECONDS)]] });
    const offered = isInvite && description.length === 0;
    const sdp = offered ? media.offer() : media.answer(description);
    if (touchesMedia && sdp === undefined) return refuse(488);

    dialog.retarget(request);
    refresher.learn(request);
    const headers: [string, string][] = [
      ['contact', contactFor(channel(), contactUser)],
      ['allow', ALLOW],
      ['supported', SUPPORTED],
    ];
    if (timer.kind === 'agreed') {
      for (const [name, value] of timer.headers) headers.push([name, value]);
      refresher.start(timer.terms);
    } else refresher.start(undefined);
    const body = touchesMedia && sdp !== undefined ? Buffer.from(sdp) : undefined;
    if (body !== undefined) headers.push(['content-type', SDP_TYPE]);
    transaction.respond(createResponse(request, 200, { headers, ...(body === undefined ? {} : { body }) }));
    if (isInvite) this.awaitAck(transaction, { offered });
    on.changed();
  }
}
