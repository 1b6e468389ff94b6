import type { AgentCore } from '../core/agent-core.ts';
import { TimerSet } from '../clock.ts';
import { answerSessionTimer, MIN_SESSION_SECONDS, type SessionTimerTerms } from '../dialog/session-timer.ts';
import type { LocalAudio, NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import { sessionBodyOf } from '../sdp/session-body.ts';
import { readExpiresSeconds, readQ850Cause } from '../syntax/field-values.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import type { InviteServerTransaction } from '../transaction/invite-server-transaction.ts';
import type { Channel } from '../transport/transport.ts';
import type { DialogMedia } from './dialog-media.ts';
import { IncomingResponses } from './incoming-responses.ts';
import { sessionEnd, type SessionEnd } from './session.ts';

export interface Rejection {
  readonly q850Cause?: number;
  readonly retryAfterSeconds?: number;
}

export interface PendingInviteOptions {
  readonly core: AgentCore;
  readonly transaction: InviteServerTransaction;
  readonly channel: Channel;
  readonly localTag: string;
  readonly contactUser: string | null;
  readonly media: DialogMedia;
  /** The 200 has been sent. Passes the session timer that it settled, if any. */
  readonly onAccepted: (terms: SessionTimerTerms | undefined) => void;
  /** The INVITE did not become a call. Nothing more is sent. */
  readonly onEnd: (end: SessionEnd) => void;
}

/** A caller that vanished while the callee rang sends no CANCEL. */
const MAX_RING_SECONDS = 300;

/** `accepting`: the 200 waits for the PRACK of an earlier response. */
type State = 'waiting' | 'accepting' | 'over';

/** An incoming INVITE, until its final response. */
export class PendingInvite {
  readonly #options: PendingInviteOptions;
  readonly #responses: IncomingResponses;
  readonly #timers: TimerSet<'expires'>;
  #state: State = 'waiting';

  constructor(options: PendingInviteOptions) {
    const { core, transaction } = options;
    this.#options = options;
    this.#responses = new IncomingResponses({ ...options, onNoPrack: () => this.reject(504) });
    this.#timers = new TimerSet(core.clock);
    const expiresSeconds = readExpiresSeconds(transaction.request.headers) ?? MAX_RING_SECONDS;
    this.#timers.start('expires', expiresSeconds * 1000, () => this.terminate('the INVITE has expired'));
  }

  get isOpen(): boolean {
    return this.#state !== 'over';
  }

  ring(): void {
    if (this.#state === 'waiting') this.#responses.progress(180);
  }

  progress(audio: LocalAudio): NegotiatedAudio | undefined {
    const { media, transaction } = this.#options;
    if (this.#state !== 'waiting' || sessionBodyOf(transaction.request).length === 0) return undefined;
    const sdp = this.#responses.negotiate(audio);
    if (sdp === undefined) return undefined;
    this.#responses.progress(183, sdp);
    return media.audio;
  }

  answer(audio: LocalAudio): NegotiatedAudio | null | undefined {
    const { media, transaction, onAccepted } = this.#options;
    if (this.#state !== 'waiting') return undefined;
    const timer = answerSessionTimer(transaction.request.headers);
    if (timer.kind === 'too_small') {
      this.#refuse(422, [['min-se', String(MIN_SESSION_SECONDS)]], 'the session interval is too small');
      return undefined;
    }
    const sdp = this.#responses.negotiate(audio);
    if (sdp === undefined) {
      this.reject(488);
      return undefined;
    }
    this.#state = 'accepting';
    this.#responses.accept(sdp, timer.kind === 'agreed' ? timer.headers : [], () => {
      this.#close();
      onAccepted(timer.kind === 'agreed' ? timer.terms : undefined);
    });
    return media.audio ?? null;
  }

  reject(status: number, { q850Cause, retryAfterSeconds }: Rejection = {}): void {
    const headers: [string, string][] = [];
    if (q850Cause !== undefined) headers.push(['reason', `Q.850;cause=${q850Cause}`]);
    if (retryAfterSeconds !== undefined) headers.push(['retry-after', String(retryAfterSeconds)]);
    this.#refuse(status, headers, `rejected with ${status}`);
  }

  /** Sends no response at all, as a network that lost the call. */
  ignore(): void {
    if (this.#state !== 'waiting') return;
    this.#end(sessionEnd('refused', 'local', 'left without a response'), () =>
      this.#options.transaction.neverRespond(),
    );
  }

  /** Ends the INVITE because of the caller's `request`, a CANCEL or a BYE, or without one because time has passed. */
  terminate(detail: string, request?: ReceivedRequest): void {
    if (this.#state === 'over') return;
    const q850Cause = request === undefined ? null : readQ850Cause(request.headers);
    const by = request === undefined ? 'network' : 'remote';
    this.#end(sessionEnd('cancelled', by, detail, { sipCode: 487, q850Cause }), () => this.#responses.refuse(487));
  }

  /** False for a PRACK that matches no pending response. */
  acknowledge(prack: ReceivedRequest): boolean {
    return this.#responses.acknowledge(prack);
  }

  #refuse(status: number, headers: readonly (readonly [string, string])[], detail: string): void {
    if (this.#state === 'over') return;
    const end = sessionEnd('refused', 'local', detail, { sipCode: status });
    this.#end(end, () => this.#responses.refuse(status, headers));
  }

  /** The session ends before the caller has the response, which it may rely on. */
  #end(end: SessionEnd, respond: () => void): void {
    this.#close();
    try {
      this.#options.onEnd(end);
    } finally {
      respond();
      this.#responses.stop();
    }
  }

  #close(): void {
    this.#state = 'over';
    this.#timers.cancelAll();
  }
}
