import { randomInt } from 'node:crypto';
import type { AgentCore } from '../core/agent-core.ts';
import { Authorizer } from '../digest/authorizer.ts';
import type { DialogDescription } from '../dialog/description.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { newCallId, newTag } from '../identifiers.ts';
import { AudioNegotiation } from '../sdp/audio-negotiation.ts';
import { sessionBodyOf } from '../sdp/session-body.ts';
import type { Direction } from '../sdp/session-description.ts';
import { readQ850Cause } from '../syntax/field-values.ts';
import type { ReceivedRequest, ReceivedResponse } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import { createResponse } from '../transaction/responses.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { CheckedCallRequest } from './call-request.ts';
import type { DialogUsage } from './dialog-usage.ts';
import { endOfFailure } from './failure-ends.ts';
import { Forks } from './forks.ts';
import { CallCancellation, type CancellationReason } from './call-cancellation.ts';
import { InviteBuilder } from './invite-builder.ts';
import { InviteDialer, type InviteAttempt } from './invite-dialer.ts';
import { describeDialog } from './describe-dialog.ts';
import { NO_COMMON_AUDIO, NORMAL_CLEARING } from './end-reasons.ts';
import type { ReferRequest } from './referral.ts';
import { sessionEnd, type ReofferOutcome, type Session, type SessionEnd, type SessionListener } from './session.ts';

/** `leaving`: a BYE or a CANCEL was sent, and the far end has not confirmed it. */
type State = 'dialing' | 'proceeding' | 'answered' | 'leaving' | 'ended';

/** An outgoing call with all its forks: the first fork that answers is the call, and every other one is hung up. */
export class OutgoingSession implements Session {
  readonly callId = newCallId();
  readonly #localTag = newTag();
  readonly #core: AgentCore;
  readonly #request: CheckedCallRequest;
  readonly #dialer: InviteDialer;
  readonly #cancellation: CallCancellation;
  readonly #forks: Forks;
  #listener: SessionListener = () => undefined;
  #state: State = 'dialing';
  #attempt: InviteAttempt | undefined;
  #answered: DialogUsage | undefined;

  constructor(core: AgentCore, request: CheckedCallRequest) {
    this.#core = core;
    this.#request = request;
    const authorizer = new Authorizer(request.credentials);
    const sdpSessionId = randomInt(1, 2 ** 31);
    const offer = new AudioNegotiation(request.audio, sdpSessionId).offer();
    const identity = { callId: this.callId, localTag: this.#localTag, product: core.product, offer };
    this.#forks = this.#createForks(authorizer, sdpSessionId);
    this.#dialer = new InviteDialer({
      core,
      request,
      builder: new InviteBuilder(request, identity, authorizer),
      authorizer,
      firstCSeq: randomInt(1, 1_000),
      describe: (attempt) => this.#descriptionOf(attempt, 'calling'),
      on: {
        repeating: (description) => this.#listener({ kind: 'dialog', description }),
        sending: (attempt) => this.#sending(attempt),
        response: (response, attempt) => this.#responded(response, attempt),
        failed: (failure) => this.#end(endOfFailure(failure, this.#cancellation.reason)),
      },
    });
    this.#cancellation = new CallCancellation({
      clock: core.clock,
      dialer: this.#dialer,
      onRingTimeout: () => this.#giveUp('no_answer'),
      onUnconfirmed: (end) => this.#end(end),
    });
    core.sessions.add(this.callId, this.#localTag, this);
  }

  /** Never rejects: every failure ends the session. */
  begin(): void {
    this.#dialer.begin().catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : 'dialing failed';
      this.#end(sessionEnd('unsent', 'network', detail));
    });
  }

  listen(listener: SessionListener): void {
    this.#listener = listener;
  }

  hangUp(): void {
    if (this.#state === 'answered')
      this.#leave(NORMAL_CLEARING, sessionEnd('completed', 'local', 'BYE', { sipCode: 200 }));
    else this.#giveUp('cancelled');
  }

  shutDown(): void {
    this.hangUp();
  }

  reoffer(direction: Direction): Promise<ReofferOutcome> {
    return this.#answered?.reoffer(direction) ?? Promise.resolve('gone');
  }

  refer(request: ReferRequest): boolean {
    return this.#state === 'answered' && this.#answered?.refer(request) === true;
  }

  receive(transaction: ServerTransaction): void {
    const fork = this.#forks.find(transaction.request);
    if (fork === undefined) transaction.respond(createResponse(transaction.request, 481));
    else fork.receive(transaction);
  }

  receiveAck(ack: ReceivedRequest): void {
    this.#forks.find(ack)?.receiveAck(ack);
  }

  #sending(attempt: InviteAttempt): void {
    if (this.#attempt === undefined) this.#cancellation.ringFor(this.#request.ringTimeoutMs);
    this.#forks.clear();
    this.#state = 'dialing';
    this.#attempt = attempt;
  }

  #responded(response: ReceivedResponse, attempt: InviteAttempt): void {
    if (response.status < 200) this.#progressed(response, attempt);
    else this.#accepted(response, attempt);
  }

  #progressed(response: ReceivedResponse, attempt: InviteAttempt): void {
    if (this.#state !== 'dialing' && this.#state !== 'proceeding') return;
    const wasDialing = this.#state === 'dialing';
    this.#state = 'proceeding';
    if (this.#cancellation.reason !== null) return this.#cancel();
    const belongs = response.status > 100 && tagOf(response.to) !== null;
    const { fork, isNew } = belongs ? this.#forks.of(response, attempt) : { fork: undefined, isNew: false };
    if (wasDialing || isNew) this.#describe(fork);
    if (response.status === 100 || fork?.takeProvisional(response) === false) return;
    const description = sessionBodyOf(response);
    if (description.length > 0) fork?.media.acceptAnswer(description);
    this.#listener({ kind: 'provisional', sipCode: response.status, audio: fork?.media.audio ?? null });
  }

  #accepted(response: ReceivedResponse, attempt: InviteAttempt): void {
    const { fork } = this.#forks.of(response, attempt);
    if (fork.isConfirmed) {
      fork.acknowledgeAgain();
      return;
    }
    fork.confirm(response, attempt.invite);
    if (this.#answered !== undefined || this.#state === 'ended') {
      // Another fork answered as well, or this one after we had stopped waiting.
      fork.acknowledge();
      fork.bye(NORMAL_CLEARING, () => undefined);
      return;
    }
    // Before this fork becomes the call: an answer that differs from the early one is not a media change, because no
    // audio has been reported yet.
    const description = sessionBodyOf(response);
    const heard = description.length === 0 || fork.media.acceptAnswer(description);
    this.#answered = fork;
    this.#cancellation.stop();
    this.#state = 'answered';
    this.#describe(fork);
    const { audio } = fork.media;
    if (this.#cancellation.reason !== null) {
      const end = sessionEnd(this.#cancellation.reason, 'local', 'answered while being cancelled', { sipCode: 200 });
      this.#leave(NORMAL_CLEARING, end);
    } else if (!heard || audio === undefined) {
      const end = sessionEnd('no_media', 'local', 'the answer has no audio that we support', { sipCode: 200 });
      this.#leave(NO_COMMON_AUDIO, end);
    } else {
      void this.#acknowledgeOnceRecorded(fork);
      this.#listener({ kind: 'answered', audio });
    }
  }

  /**
   * An acknowledged answer stays up until a BYE, and no process could send one without the stored tag of the far end.
   */
  async #acknowledgeOnceRecorded(fork: DialogUsage): Promise<void> {
    await this.#request.recorded?.();
    if (this.#state === 'answered') fork.acknowledge();
  }

  #giveUp(reason: CancellationReason): void {
    if (this.#state !== 'dialing' && this.#state !== 'proceeding') return;
    if (!this.#cancellation.decide(reason)) return;
    if (!this.#dialer.isOut) this.#end(endOfFailure({ kind: 'stopped' }, reason));
    // Without a response, an INVITE cannot be canceled (RFC 3261 section 9.1): wait for a response or timer B.
    else if (this.#state === 'proceeding') this.#cancel();
  }

  #cancel(): void {
    this.#state = 'leaving';
    this.#cancellation.cancel();
  }

  #leave(reason: string, end: SessionEnd): void {
    this.#state = 'leaving';
    this.#answered?.acknowledge();
    this.#answered?.bye(reason, (result) => {
      const confirmed = result.kind === 'response';
      this.#end(confirmed ? end : { ...end, detail: `${end.detail}, not confirmed: ${result.detail}` });
    });
  }

  #createForks(authorizer: Authorizer, sdpSessionId: number): Forks {
    const isTheCall = (fork: DialogUsage) => this.#answered === fork;
    return new Forks({
      core: this.#core,
      request: this.#request,
      authorizer,
      sdpSessionId,
      on: {
        audio: (fork, audio) => isTheCall(fork) && this.#listener({ kind: 'media', audio }),
        digits: (fork, digits) => isTheCall(fork) && this.#listener({ kind: 'digits', digits }),
        referral: (fork, outcome, { target }) =>
          isTheCall(fork) && this.#listener({ kind: 'referral', outcome, target }),
        bye: (fork, request) => isTheCall(fork) && this.#end(this.#endOfBye(request)),
        lost: (fork, detail) => isTheCall(fork) && this.#end(sessionEnd('lost', 'network', detail, { sipCode: 200 })),
        changed: (fork) => {
          if (this.#answered === undefined || isTheCall(fork)) this.#describe(fork);
        },
      },
    });
  }

  #endOfBye(request: ReceivedRequest): SessionEnd {
    const facts = { sipCode: 200, q850Cause: readQ850Cause(request.headers) };
    return sessionEnd(
      this.#cancellation.reason ?? 'completed',
      this.#state === 'leaving' ? 'local' : 'remote',
      'BYE',
      facts,
    );
  }

  #describe(fork?: DialogUsage): void {
    if (this.#attempt === undefined || this.#state === 'ended') return;
    const state = this.#answered !== undefined ? 'answered' : this.#state === 'dialing' ? 'calling' : 'proceeding';
    this.#listener({ kind: 'dialog', description: this.#descriptionOf(this.#attempt, state, fork?.dialog) });
  }

  #descriptionOf(attempt: InviteAttempt, state: DialogDescription['state'], dialog?: Dialog): DialogDescription {
    return describeDialog(attempt, { trunk: this.#request.trunk, localTag: this.#localTag, state, dialog });
  }

  #end(end: SessionEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#cancellation.stop();
    this.#forks.closeConfirmed();
    this.#core.sessions.remove(this.callId, this.#localTag);
    this.#listener({ kind: 'ended', end });
  }
}
