import type { AgentCore } from '../core/agent-core.ts';
import type { Dialog } from '../dialog/dialog.ts';
import type { SessionTimerTerms } from '../dialog/session-timer.ts';
import { Authorizer } from '../digest/authorizer.ts';
import type { LocalAudio, NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import type { Direction } from '../sdp/session-description.ts';
import { sessionBodyOf } from '../sdp/session-body.ts';
import { readQ850Cause } from '../syntax/field-values.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import { userOfUri } from '../syntax/uri.ts';
import type { InviteServerTransaction } from '../transaction/invite-server-transaction.ts';
import { createResponse } from '../transaction/responses.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Channel } from '../transport/transport.ts';
import { DialogUsage } from './dialog-usage.ts';
import { NORMAL_CLEARING } from './end-reasons.ts';
import type { IncomingReferral } from './incoming-referral.ts';
import { PendingInvite, type Rejection } from './pending-invite.ts';
import type { ReferRequest } from './referral.ts';
import { sessionEnd, type ReofferOutcome, type Session, type SessionEnd, type SessionListener } from './session.ts';

export interface IncomingSessionOptions {
  readonly core: AgentCore;
  readonly transaction: InviteServerTransaction;
  readonly channel: Channel;
  /** The UAS side of the dialog, with `localTag`. */
  readonly dialog: Dialog;
  readonly localTag: string;
}

/** `inviting`: the INVITE has no final response yet. `leaving`: a BYE is pending, or waits for the caller's ACK. */
type State = 'inviting' | 'answered' | 'leaving' | 'ended';

/** An incoming call: ring, answer, reject or ignore it. */
export class IncomingSession implements Session {
  readonly callId: string;
  readonly localTag: string;
  readonly #core: AgentCore;
  readonly #transaction: InviteServerTransaction;
  readonly #usage: DialogUsage;
  readonly #invite: PendingInvite;
  #listener: SessionListener = () => undefined;
  #state: State = 'inviting';
  #onRefer: ((referral: IncomingReferral) => void) | undefined;

  constructor(options: IncomingSessionOptions) {
    const { core, transaction, localTag } = options;
    this.callId = transaction.request.callId;
    this.localTag = localTag;
    this.#core = core;
    this.#transaction = transaction;
    this.#usage = this.#createUsage(options);
    this.#invite = new PendingInvite({
      ...options,
      contactUser: this.calledNumber,
      media: this.#usage.media,
      onAccepted: (terms) => this.#accepted(terms),
      onEnd: (end) => this.#end(end),
    });
    core.sessions.add(this.callId, localTag, this);
  }

  get request(): ReceivedRequest {
    return this.#transaction.request;
  }

  /** The user part of the Request-URI, or null. */
  get calledNumber(): string | null {
    return userOfUri(this.request.uri);
  }

  /** The user part of From, or null. */
  get callerNumber(): string | null {
    return userOfUri(this.request.from.uri);
  }

  listen(listener: SessionListener): void {
    this.#listener = listener;
  }

  /** The caller may transfer the call from now on. Without this, its REFER is rejected with 405. */
  onRefer(handler: (referral: IncomingReferral) => void): void {
    this.#onRefer = handler;
  }

  /** 180. */
  ring(): void {
    this.#invite.ring();
  }

  /** Sends 183 with early media. Undefined when the offer is missing or has no codec that we support. */
  progress(audio: LocalAudio): NegotiatedAudio | undefined {
    return this.#invite.progress(audio);
  }

  /**
   * Sends 200. Returns the agreed audio, or null while the caller's answer is due with the ACK: then it follows as an
   * event. Undefined without a common codec (the call is rejected with 488), or when the caller is already gone.
   */
  answer(audio: LocalAudio): NegotiatedAudio | null | undefined {
    return this.#invite.answer(audio);
  }

  /** Sends a final response from 3xx to 6xx. */
  reject(status: number, rejection: Rejection = {}): void {
    this.#invite.reject(status, rejection);
  }

  /** Sends no response at all, as a network that lost the call. Only our side of the session ends. */
  ignore(): void {
    this.#invite.ignore();
  }

  hangUp(): void {
    if (this.#invite.isOpen) this.reject(480);
    if (this.#state !== 'answered') return;
    this.#state = 'leaving';
    // A callee may send BYE only after the caller acknowledged the answer (RFC 3261 section 15).
    if (!this.#usage.server.awaitsAck) this.#bye();
  }

  shutDown(): void {
    this.hangUp();
    if (this.#state === 'leaving') this.#bye();
  }

  refer(request: ReferRequest): boolean {
    return this.#state === 'answered' && this.#usage.refer(request);
  }

  reoffer(direction: Direction): Promise<ReofferOutcome> {
    return this.#state === 'answered' ? this.#usage.reoffer(direction) : Promise.resolve('gone');
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (request.method === 'PRACK' && this.#invite.acknowledge(request)) {
      this.#usage.dialog.takeRemoteCSeq(request.cseq.number);
      transaction.respond(createResponse(request, 200));
    } else this.#usage.receive(transaction);
  }

  receiveAck(ack: ReceivedRequest): void {
    const before = this.#usage.media.audio;
    this.#usage.receiveAck(ack);
    const { audio } = this.#usage.media;
    if (this.#state === 'leaving') this.#bye();
    // The answer to our own offer came only now.
    else if (before === undefined && audio !== undefined) this.#listener({ kind: 'media', audio });
  }

  /** The caller's CANCEL. It has no effect after a final response (RFC 3261 section 9.2). */
  cancelled(cancel: ReceivedRequest): void {
    this.#invite.terminate('CANCEL', cancel);
  }

  #accepted(terms: SessionTimerTerms | undefined): void {
    this.#state = 'answered';
    this.#usage.server.awaitAck(this.#transaction, { offered: sessionBodyOf(this.request).length === 0 });
    this.#usage.refresher.learn(this.request);
    if (terms !== undefined) this.#usage.refresher.start(terms);
  }

  #bye(): void {
    const end = sessionEnd('completed', 'local', 'BYE', { sipCode: 200 });
    this.#usage.bye(NORMAL_CLEARING, () => this.#end(end));
  }

  #createUsage({ core, dialog, channel }: IncomingSessionOptions): DialogUsage {
    return new DialogUsage({
      core,
      dialog,
      channel,
      sticky: true,
      ownsCallId: false,
      contactUser: this.calledNumber,
      authorizer: new Authorizer(undefined),
      on: {
        audio: (audio) => this.#listener({ kind: 'media', audio }),
        digits: (digits) => this.#listener({ kind: 'digits', digits }),
        referral: (outcome, { target }) => this.#listener({ kind: 'referral', outcome, target }),
        refer: (referral) => this.#referred(referral),
        bye: (request) => this.#onBye(request),
        lost: (detail) => this.#end(sessionEnd('lost', 'network', detail, { sipCode: 200 })),
        changed: () => undefined,
      },
    });
  }

  #referred(referral: IncomingReferral): boolean {
    if (this.#onRefer === undefined || this.#state !== 'answered') return false;
    this.#onRefer(referral);
    return true;
  }

  #onBye(request: ReceivedRequest): void {
    // A BYE to the early dialog: the INVITE still needs its final response (RFC 3261 section 15.1.2).
    if (this.#invite.isOpen) return this.#invite.terminate('BYE', request);
    const facts = { sipCode: 200, q850Cause: readQ850Cause(request.headers) };
    this.#end(sessionEnd('completed', this.#state === 'leaving' ? 'local' : 'remote', 'BYE', facts));
  }

  #end(end: SessionEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#usage.close();
    this.#core.sessions.remove(this.callId, this.localTag);
    this.#core.sessions.forgetInvite(this.request);
    this.#listener({ kind: 'ended', end });
  }
}
