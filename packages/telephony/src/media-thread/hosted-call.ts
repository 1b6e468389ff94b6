import type { ConversationEvent, ConversationResult, TransferFailure } from '@outdial/calls';
import type { AgentSettings, CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { MediaConversation } from '../media/conversation.ts';
import type { MediaConversations } from '../media/conversations.ts';
import type { MediaClock, TickSubscription } from '../media/media-clock.ts';
import type { OpenTap } from '../media/sound-tap.ts';
import type { RemoteMedia } from '../rtp/remote-media.ts';
import type { RtpReport, RtpSession } from '../rtp/rtp-session.ts';
import { EMPTY_RESULT, type MediaSessionEvent, type StopTime } from './protocol.ts';
import { TalkLimit } from './talk-limit.ts';

export interface HostedCallOptions {
  readonly callId: CallId;
  readonly session: RtpSession;
  readonly conversations: MediaConversations;
  readonly mediaClock: MediaClock;
  readonly clock: Clock;
  readonly stopTime: StopTime;
  readonly onSessionEvent: (event: MediaSessionEvent) => void;
  readonly onConversationEvent: (event: ConversationEvent) => void;
  readonly onClosed: () => void;
}

/** One call in the media thread: its RTP session, its conversation, and its right to talk. */
export class HostedCall {
  readonly #options: HostedCallOptions;
  readonly #limit: TalkLimit;
  #conversation: MediaConversation | undefined;
  #watch: TickSubscription | undefined;
  #isExpired = false;
  #isStopped = false;
  #isFinished = false;
  #isClosed = false;

  constructor(options: HostedCallOptions) {
    this.#options = options;
    this.#limit = new TalkLimit(options.clock, options.stopTime);
  }

  setRemote(remote: RemoteMedia): void {
    this.#options.session.setRemote(remote);
  }

  prepare(settings: AgentSettings, variables: Readonly<Record<string, string>>): void {
    const { callId, conversations, session, onConversationEvent } = this.#options;
    if (this.#conversation) return;
    this.#conversation = conversations.open({ callId, leg: { media: session }, settings, variables });
    this.#conversation.listen(onConversationEvent);
  }

  answered(): void {
    const { mediaClock, session } = this.#options;
    if (this.#watch || this.#isStopped) return;
    // In the order of a tick: check the right to talk, let the agent speak, send.
    this.#watch = mediaClock.subscribe(() => this.#stopInTime());
    this.#conversation?.answered();
    session.start();
    this.#stopInTime();
  }

  setOnHold(isOnHold: boolean): void {
    this.#conversation?.setOnHold(isOnHold);
  }

  transferFailed(failure: TransferFailure): void {
    this.#conversation?.transferFailed(failure);
  }

  tapSound(tap: OpenTap): void {
    this.#conversation?.tapSound(tap);
  }

  instruct(text: string): boolean {
    return this.#conversation?.instructAgent(text) ?? false;
  }

  /** The other call is the second leg of this one. */
  introduce(second: HostedCall): void {
    this.#conversation?.introduce({ legId: second.#options.callId, leg: { media: second.#options.session } });
  }

  press(digits: string): void {
    this.#options.session.press(digits);
  }

  mayTalkUntil(stopTime: StopTime): void {
    this.#limit.renew(stopTime);
  }

  /**
   * We hang up: the call is silent in both directions from here on, before the far end has confirmed anything. The
   * ports stay bound, so that late packets of the far end reach no other call. The result is kept for `finish`.
   */
  stop(): void {
    this.#isStopped = true;
    this.#watch?.cancel();
    void this.#conversation?.finish();
    this.#options.session.stop();
  }

  /** Idempotent; never rejects. */
  async finish(): Promise<ConversationResult> {
    const result = (await this.#conversation?.finish()) ?? EMPTY_RESULT;
    this.#isFinished = true;
    return result;
  }

  /** Its ports are free, and its result has been reported if there was one. */
  get isOver(): boolean {
    return this.#isClosed && (this.#isFinished || !this.#conversation);
  }

  async close(): Promise<RtpReport> {
    const { session } = this.#options;
    this.#watch?.cancel();
    await session.close();
    if (!this.#isClosed) this.#options.onClosed();
    this.#isClosed = true;
    return session.report;
  }

  #stopInTime(): void {
    if (this.#isExpired) return;
    const verdict = this.#limit.check();
    this.#options.session.mute(verdict === 'be_silent');
    if (verdict !== 'stop') return;
    this.#isExpired = true;
    // The result is kept for a later `finish`.
    void this.#conversation?.finish();
    void this.#options.session.close();
    this.#options.onSessionEvent({ kind: 'expired' });
  }
}
