import { randomInt } from 'node:crypto';
import { contactFor } from '../core/addressing.ts';
import { ALLOW, SUPPORTED } from '../core/capabilities.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { SDP_TYPE, sessionBodyOf } from '../sdp/session-body.ts';
import { AudioNegotiation, type LocalAudio } from '../sdp/audio-negotiation.ts';
import type { ReceivedRequest, SipResponse } from '../syntax/message.ts';
import type { InviteServerTransaction } from '../transaction/invite-server-transaction.ts';
import { createResponse } from '../transaction/responses.ts';
import type { Channel } from '../transport/transport.ts';
import type { DialogMedia } from './dialog-media.ts';
import { ReliableProvisionals } from './reliable-provisionals.ts';

type Fields = Iterable<readonly [name: string, value: string]>;

export interface IncomingResponsesOptions {
  readonly core: Pick<AgentCore, 'clock' | 'product'>;
  readonly transaction: InviteServerTransaction;
  readonly channel: Channel;
  readonly localTag: string;
  readonly contactUser: string | null;
  readonly media: DialogMedia;
  /** A reliable provisional response was never acknowledged. */
  readonly onNoPrack: () => void;
}

/** Writes the responses to one INVITE: our Contact and capabilities, and one session description for all of them. */
export class IncomingResponses {
  readonly #options: IncomingResponsesOptions;
  readonly #provisionals: ReliableProvisionals;
  #sdp: string | undefined;

  constructor(options: IncomingResponsesOptions) {
    this.#options = options;
    this.#provisionals = new ReliableProvisionals({
      clock: options.core.clock,
      firstRSeq: randomInt(1, 2 ** 30),
      send: (response) => options.transaction.respond(response),
      onNoPrack: options.onNoPrack,
    });
  }

  /** The answer to the caller's offer, or our own offer where there was none. Undefined without a common codec. */
  negotiate(audio: LocalAudio): string | undefined {
    const { media, transaction } = this.#options;
    const body = sessionBodyOf(transaction.request);
    media.negotiateBy(() => new AudioNegotiation(audio, randomInt(1, 2 ** 31)));
    this.#sdp ??= body.length === 0 ? media.offer() : media.answer(body);
    return this.#sdp;
  }

  /**
   * Sends a provisional response: reliably if the caller requires it, or supports it and needs the description (RFC
   * 3262 section 3).
   */
  progress(status: 180 | 183, sdp?: string): void {
    const { headers } = this.#options.transaction.request;
    const reliable = headers.lists('require', '100rel') || (sdp !== undefined && headers.lists('supported', '100rel'));
    const response = this.#response(status, this.#dialogFields(), sdp);
    if (reliable) this.#provisionals.send(response);
    else this.#options.transaction.respond(response);
  }

  /**
   * Waits for pending provisional responses: the caller might take one for newer than the answer (RFC 3262 section 5).
   */
  accept(sdp: string, fields: Fields, onSent: () => void): void {
    this.#provisionals.afterPending(() => {
      this.#options.transaction.respond(this.#response(200, [...this.#dialogFields(), ...fields], sdp));
      onSent();
    });
  }

  refuse(status: number, fields: Fields = []): void {
    this.#options.transaction.respond(this.#response(status, fields));
  }

  /** False for a PRACK that matches no pending response. */
  acknowledge(prack: ReceivedRequest): boolean {
    return this.#provisionals.acknowledge(prack, this.#options.transaction.request.cseq.number);
  }

  stop(): void {
    this.#provisionals.stop();
  }

  #response(status: number, fields: Fields, sdp?: string): SipResponse {
    const { transaction, localTag } = this.#options;
    const headers = sdp === undefined ? fields : [...fields, ['content-type', SDP_TYPE] as const];
    const body = sdp === undefined ? {} : { body: Buffer.from(sdp) };
    return createResponse(transaction.request, status, { toTag: localTag, headers, ...body });
  }

  #dialogFields(): (readonly [name: string, value: string])[] {
    const { channel, contactUser, core } = this.#options;
    return [
      ['contact', contactFor(channel, contactUser)],
      ['allow', ALLOW],
      ['supported', SUPPORTED],
      ['server', core.product],
    ];
  }
}
