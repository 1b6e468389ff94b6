import type { AgentCore } from '../core/agent-core.ts';
import { ALLOW } from '../core/capabilities.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { termsOfResponse } from '../dialog/session-timer.ts';
import type { Authorizer } from '../digest/authorizer.ts';
import type { AudioNegotiation, NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import { sessionBodyOf } from '../sdp/session-body.ts';
import type { Direction } from '../sdp/session-description.ts';
import { formatRAck } from '../syntax/cseq.ts';
import type { ReceivedRequest, ReceivedResponse, SipRequest } from '../syntax/message.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Channel } from '../transport/transport.ts';
import { DialogClient, type RequestResult } from './dialog-client.ts';
import { DialogMedia } from './dialog-media.ts';
import { DialogServer } from './dialog-server.ts';
import { SESSION_LOST } from './end-reasons.ts';
import { IncomingReferral, referTarget } from './incoming-referral.ts';
import { Referrals } from './referrals.ts';
import type { ReferralOutcome, ReferRequest } from './referral.ts';
import { glarePauseMs, Reofferer } from './reofferer.ts';
import { SessionRefresher } from './session-refresher.ts';
import type { ReofferOutcome } from './session.ts';
import { ReachabilityKeeper } from './reachability-keeper.ts';

export interface DialogUsageOptions {
  readonly core: AgentCore;
  readonly dialog: Dialog;
  readonly channel: Channel;
  readonly sticky: boolean;
  /** Whether we sent the INVITE: decides which side pauses longer after a glare. */
  readonly ownsCallId: boolean;
  readonly contactUser: string | null;
  readonly authorizer: Authorizer;
  readonly negotiation?: AudioNegotiation;
  readonly on: {
    readonly audio: (audio: NegotiatedAudio) => void;
    readonly digits: (digits: string) => void;
    /** The REFER that `refer` sent has an outcome. */
    readonly referral: (outcome: ReferralOutcome, request: ReferRequest) => void;
    /** The far end sent REFER. False, or without this: it is rejected with 405. */
    readonly refer?: (referral: IncomingReferral) => boolean;
    /** The far end sent BYE, which is already answered. */
    readonly bye: (request: ReceivedRequest) => void;
    /** The far end is gone without a BYE; our BYE is on its way. */
    readonly lost: (detail: string) => void;
    /** CSeq, route set or remote target changed. */
    readonly changed: () => void;
  };
}

/** The invite usage of one dialog: its requests in both directions, media, session timer, and end. */
export class DialogUsage {
  readonly dialog: Dialog;
  readonly media: DialogMedia;
  readonly refresher: SessionRefresher;
  readonly #options: DialogUsageOptions;
  readonly #client: DialogClient;
  readonly #server: DialogServer;
  readonly #reofferer: Reofferer;
  readonly #reachability: ReachabilityKeeper;
  readonly #referrals: Referrals;
  /** RSeq of the last provisional response that was acknowledged (RFC 3262 section 4). */
  #lastRSeq: number | null = null;
  /** The INVITE whose 2xx confirmed the dialog. */
  #accepted: { readonly invite: SipRequest; readonly cseq: number; acknowledged: boolean } | undefined;
  #leaving = false;

  constructor(options: DialogUsageOptions) {
    const { core, dialog, on } = options;
    this.#options = options;
    this.dialog = dialog;
    this.media = new DialogMedia(options.negotiation, on.audio);
    this.#client = new DialogClient({ ...options, onSent: on.changed });
    this.refresher = new SessionRefresher({
      clock: core.clock,
      client: this.#client,
      offer: () => this.media.offer(),
      onRefreshed: (response) => {
        this.dialog.retarget(response);
        // An UPDATE carries no offer; the answer to a re-INVITE applies from now on.
        if (response.cseq.method === 'INVITE') this.media.acceptAnswer(sessionBodyOf(response));
        on.changed();
      },
      onLost: (detail) => this.#lost(detail),
    });
    const { refresher } = this;
    this.#reachability = new ReachabilityKeeper({
      core,
      client: this.#client,
      refresher,
      onLost: (detail) => this.#lost(detail),
    });
    this.#referrals = new Referrals({
      clock: core.clock,
      send: ({ target, referredBy }, onResult) => this.#sendRefer(target, referredBy, onResult),
      pauseMs: () => glarePauseMs(core.random, options.ownsCallId),
      onOutcome: on.referral,
      onUnknownCall: (detail) => this.#lost(detail),
    });
    this.#server = new DialogServer({
      ...options,
      referrals: this.#referrals,
      onRefer: (transaction) => this.#referred(transaction),
      channel: () => this.#client.channel,
      media: this.media,
      refresher,
      isOffering: () => this.#reofferer.isOffering || refresher.isOffering,
      onBye: (request) => {
        this.#referrals.byeReceived();
        this.close();
        on.bye(request);
      },
      onNoAck: () => this.#lost('a 2xx was never acknowledged'),
    });
    this.#reofferer = new Reofferer({
      ...options,
      client: this.#client,
      media: this.media,
      isBusy: () => this.#server.awaitsAck || refresher.isOffering,
      isOver: () => this.#leaving,
      onLost: (detail) => this.#lost(detail),
    });
  }

  /** Whether a 2xx confirmed the dialog. */
  get isConfirmed(): boolean {
    return this.#accepted !== undefined;
  }

  receive(transaction: ServerTransaction): void {
    this.#server.receive(transaction);
  }

  receiveAck(ack: ReceivedRequest): void {
    this.#server.receiveAck(ack);
  }

  /** Watches for the ACK to a 2xx that the session itself sent. */
  get server(): DialogServer {
    return this.#server;
  }

  /** The first 2xx of this fork sets the route and the session timer. It still needs its ACK. */
  confirm(response: ReceivedResponse, invite: SipRequest): void {
    this.#accepted = { invite, cseq: response.cseq.number, acknowledged: false };
    this.dialog.confirm(response);
    this.refresher.learn(response);
    this.refresher.start(termsOfResponse(response.headers));
    this.#reachability.watch(this.#client.channel);
  }

  /** Sends the ACK to that 2xx, once. */
  acknowledge(): void {
    if (this.#accepted === undefined || this.#accepted.acknowledged) return;
    this.#accepted.acknowledged = true;
    this.acknowledgeAgain();
  }

  /** The 2xx came again: if its ACK was sent, it was lost. */
  acknowledgeAgain(): void {
    if (this.#accepted?.acknowledged === true) this.#client.acknowledge(this.#accepted.invite, this.#accepted.cseq);
  }

  /**
   * Acknowledges a reliable provisional response. False for a retransmission or one out of order, which must be ignored
   * (RFC 3262 section 4).
   */
  takeProvisional(response: ReceivedResponse): boolean {
    const { headers, cseq } = response;
    const rseq = Number(headers.get('rseq'));
    if (!headers.lists('require', '100rel') || !Number.isInteger(rseq) || rseq < 1) return true;
    if (this.#lastRSeq !== null && rseq !== this.#lastRSeq + 1) return false;
    this.#lastRSeq = rseq;
    this.#client.send('PRACK', { headers: [['rack', formatRAck({ rseq, ...cseq })]] }, () => undefined);
    return true;
  }

  /** Sends BYE. `onDone` follows once the far end has answered, or can no longer be reached. */
  bye(reason: string, onDone: (result: RequestResult) => void): void {
    if (this.#leaving) return;
    this.close();
    this.#client.send('BYE', { headers: [['reason', reason]] }, onDone);
  }

  async reoffer(direction: Direction): Promise<ReofferOutcome> {
    const outcome = await this.#reofferer.reoffer(direction);
    // The answer may have changed the remote target.
    if (outcome === 'accepted') this.#options.on.changed();
    return outcome;
  }

  /** Asks the far end to call the target. False: not now, because the call is not up, or another REFER is pending. */
  refer(request: ReferRequest): boolean {
    // A far end that has no ACK yet may still give up the call.
    const isUp = !this.#leaving && this.#accepted?.acknowledged !== false;
    return isUp && this.#referrals.begin(request);
  }

  /** Stops everything that this dialog does on its own. */
  close(): void {
    this.#leaving = true;
    this.#referrals.stop();
    this.refresher.stop();
    this.#reachability.stop();
    this.#server.close();
    this.#client.giveUpOffer();
  }

  #sendRefer(target: string, referredBy: string, onResult: (result: RequestResult) => void): void {
    const headers = [
      ['refer-to', `<${target}>`],
      ['referred-by', `<${referredBy}>`],
      ['allow', ALLOW],
    ] as const;
    this.#client.send('REFER', { headers }, onResult);
  }

  /** The status with which a REFER is rejected; undefined if the session has taken it. */
  #referred(transaction: ServerTransaction): 400 | 405 | undefined {
    const { on, contactUser } = this.#options;
    if (on.refer === undefined) return 405;
    const target = referTarget(transaction.request);
    if (target === undefined) return 400;
    const channel = () => this.#client.channel;
    const referral = new IncomingReferral({ transaction, client: this.#client, channel, contactUser }, target);
    return on.refer(referral) ? undefined : 405;
  }

  #lost(detail: string): void {
    if (this.#leaving) return;
    // The far end may still be up: send it a BYE, whether or not it arrives.
    this.bye(SESSION_LOST, () => undefined);
    this.#options.on.lost(detail);
  }
}
