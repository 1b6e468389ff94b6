import type { AgentCore } from '../core/agent-core.ts';
import { Dialog } from '../dialog/dialog.ts';
import type { Authorizer } from '../digest/authorizer.ts';
import { AudioNegotiation, type NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import type { ReceivedRequest, ReceivedResponse } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import type { CheckedCallRequest } from './call-request.ts';
import { DialogUsage } from './dialog-usage.ts';
import type { InviteAttempt } from './invite-dialer.ts';
import type { ReferralOutcome, ReferRequest } from './referral.ts';

export interface ForksOptions {
  readonly core: AgentCore;
  readonly request: CheckedCallRequest;
  readonly authorizer: Authorizer;
  /** All offers of this call have the same SDP session id. */
  readonly sdpSessionId: number;
  readonly on: {
    readonly audio: (fork: DialogUsage, audio: NegotiatedAudio) => void;
    readonly digits: (fork: DialogUsage, digits: string) => void;
    readonly referral: (fork: DialogUsage, outcome: ReferralOutcome, request: ReferRequest) => void;
    readonly bye: (fork: DialogUsage, request: ReceivedRequest) => void;
    readonly lost: (fork: DialogUsage, detail: string) => void;
    readonly changed: (fork: DialogUsage) => void;
  };
}

/** The dialogs that one INVITE created, by the far ends' tags (RFC 3261 section 12.1). */
export class Forks {
  readonly #options: ForksOptions;
  readonly #forks = new Map<string, DialogUsage>();

  constructor(options: ForksOptions) {
    this.#options = options;
  }

  /** The fork that a request of the far end belongs to. */
  find(request: ReceivedRequest): DialogUsage | undefined {
    return this.#forks.get(tagOf(request.from) ?? '');
  }

  /** The fork that a response belongs to: a new one for a new tag. */
  of(response: ReceivedResponse, attempt: InviteAttempt): { readonly fork: DialogUsage; readonly isNew: boolean } {
    const tag = tagOf(response.to) ?? '';
    const known = this.#forks.get(tag);
    if (known !== undefined) return { fork: known, isNew: false };
    const fork = this.#create(response, attempt);
    this.#forks.set(tag, fork);
    return { fork, isNew: true };
  }

  /** A new INVITE starts without forks: the final response to the previous one ended all early dialogs. */
  clear(): void {
    this.#forks.clear();
  }

  /** Closes confirmed forks. An early fork stays open: a later 2xx from it must be hung up. */
  closeConfirmed(): void {
    for (const fork of this.#forks.values()) if (fork.isConfirmed) fork.close();
  }

  #create(response: ReceivedResponse, { invite, cseq, channel }: InviteAttempt): DialogUsage {
    const { core, request, authorizer, sdpSessionId, on } = this.#options;
    // Each fork answers the same offer in its own way.
    const negotiation = new AudioNegotiation(request.audio, sdpSessionId);
    negotiation.offer();
    const fork: DialogUsage = new DialogUsage({
      core,
      dialog: Dialog.ofClient(invite, cseq, response),
      channel,
      sticky: false,
      ownsCallId: true,
      contactUser: request.fromUri.user,
      authorizer,
      negotiation,
      on: {
        audio: (audio) => on.audio(fork, audio),
        digits: (digits) => on.digits(fork, digits),
        referral: (outcome, request) => on.referral(fork, outcome, request),
        bye: (bye) => on.bye(fork, bye),
        lost: (detail) => on.lost(fork, detail),
        changed: () => on.changed(fork),
      },
    });
    return fork;
  }
}
