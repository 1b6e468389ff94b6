import type { CallSound, Conversation, ConversationEvent, ConversationResult, InstructOutcome } from '@outdial/calls';
import type { AgentSettings, CallId } from '@outdial/contracts';
import { invariant, unreachable, type Clock } from '@outdial/kernel';
import { EventChannel } from '../event-channel.ts';
import { takenBatches } from '../media/sound-tap.ts';
import type { RemoteMedia } from '../rtp/remote-media.ts';
import type { RtpReport } from '../rtp/rtp-session.ts';
import { PendingReply } from './pending-reply.ts';
import {
  EMPTY_RESULT,
  type FromHost,
  type MediaSessionEvent,
  type OpenOutcome,
  type SessionId,
  type StopTime,
  type ToHost,
} from './protocol.ts';
import { stopTimeOf } from './talk-limit.ts';

/** A stuck thread answers nothing, and a call must be able to end without it. */
const MAX_OPENING_MS = 5_000;
const MAX_ENDING_MS = 15_000;
/** The sender of an instruction waits for no longer. */
const MAX_INSTRUCTING_MS = 400;

/** The media of one leg, as the leg sees it. The work happens in the media thread. */
export interface MediaSession {
  /** Never rejects. */
  readonly opened: Promise<OpenOutcome>;
  listen(listener: (event: MediaSessionEvent) => void): void;
  /** Applies the far end's SDP: the first one, and later ones for a hold, a resume, or another address. */
  setRemote(remote: RemoteMedia): void;
  /** Digits that the far end sent by signaling, for the agent. */
  press(digits: string): void;
  /** The call is being hung up: from now on nothing is sent, heard or recorded. The ports stay bound until `close`. */
  stop(): void;
  /** Stops sending and frees the ports. Null if no report is available. Never rejects; idempotent. */
  close(): Promise<RtpReport | null>;
}

type SessionMessage = Extract<FromHost, { sessionId: SessionId }>;

export interface MediaSessionClientOptions {
  readonly id: SessionId;
  readonly clock: Clock;
  readonly callId: CallId;
  /** By the monotonic clock. */
  readonly rightEndsAtMs: () => number;
  readonly post: (message: ToHost) => void;
  /** Of another leg of this process. */
  readonly sessionIdOf: (legId: CallId) => SessionId | undefined;
  /** Every request to the thread has been answered. */
  readonly onOver: (session: MediaSessionClient) => void;
}

/** The main thread's end of one media session and its conversation. */
export class MediaSessionClient implements MediaSession {
  readonly id: SessionId;
  readonly opened: Promise<OpenOutcome>;
  readonly #options: MediaSessionClientOptions;
  readonly #events = new EventChannel<MediaSessionEvent>();
  readonly #conversationEvents = new EventChannel<ConversationEvent>();
  readonly #opening: PendingReply<OpenOutcome>;
  #finishing: PendingReply<ConversationResult> | undefined;
  #closing: PendingReply<RtpReport | null> | undefined;
  #conversation: Conversation | undefined;
  readonly #taken = takenBatches();
  #onSound: ((sound: CallSound) => void) | undefined;
  /** Instructions that the thread has not answered. */
  readonly #instructing = new Map<number, PendingReply<InstructOutcome>>();
  #instructions = 0;
  #sentEndMs = 0;
  #lost = false;

  constructor(options: MediaSessionClientOptions) {
    const { clock } = options;
    this.id = options.id;
    this.#options = options;
    const late: OpenOutcome = { kind: 'failed', message: 'the media thread did not answer' };
    this.#opening = new PendingReply<OpenOutcome>(clock, MAX_OPENING_MS, late);
    this.opened = this.#opening.promise;
  }

  listen(listener: (event: MediaSessionEvent) => void): void {
    this.#events.listen(listener);
  }

  /** Call this once, before all else. */
  open(): void {
    const { callId, post } = this.#options;
    post({ kind: 'open', sessionId: this.id, callId, stopTime: this.#stopTime() });
  }

  /** Updates the thread if the right to talk now ends earlier or later than last reported. */
  renew(): void {
    if (this.#options.rightEndsAtMs() === this.#sentEndMs) return;
    this.#options.post({ kind: 'may_talk_until', sessionId: this.id, stopTime: this.#stopTime() });
  }

  setRemote(remote: RemoteMedia): void {
    this.#options.post({ kind: 'set_remote', sessionId: this.id, remote });
  }

  press(digits: string): void {
    this.#options.post({ kind: 'press', sessionId: this.id, digits });
  }

  stop(): void {
    this.#options.post({ kind: 'stop', sessionId: this.id });
  }

  close(): Promise<RtpReport | null> {
    if (!this.#closing) {
      this.#closing = this.#ask<RtpReport | null>(null);
      this.#options.post({ kind: 'close', sessionId: this.id });
    }
    return this.#closing.promise;
  }

  /** Call this once. */
  converse(settings: AgentSettings, variables: Readonly<Record<string, string>>): Conversation {
    invariant(!this.#conversation, 'a session carries one conversation');
    const { post } = this.#options;
    const sessionId = this.id;
    post({ kind: 'prepare', sessionId, settings, variables });
    this.#conversation = {
      listen: (listener) => this.#conversationEvents.listen(listener),
      answered: () => post({ kind: 'answered', sessionId }),
      setOnHold: (isOnHold) => post({ kind: 'on_hold', sessionId, isOnHold }),
      transferFailed: (failure) => post({ kind: 'transfer_failed', sessionId, failure }),
      monitor: (forMs, listener) => this.#monitor(forMs, listener),
      instruct: (text) => this.#instruct(text),
      introduce: ({ legId }) => {
        const secondId = this.#options.sessionIdOf(legId);
        if (secondId !== undefined) post({ kind: 'introduce', sessionId, secondId });
      },
      finish: () => this.#finish(),
    };
    if (this.#lost) this.#failConversation();
    return this.#conversation;
  }

  onMessage(message: SessionMessage): void {
    switch (message.kind) {
      case 'open_outcome':
        return this.#opening.settle(message.outcome);
      case 'session_event':
        return this.#events.emit(message.event);
      case 'conversation_event':
        return this.#conversationEvents.emit(message.event);
      case 'sound':
        Atomics.add(this.#taken, 0, 1);
        return this.#onSound?.(message.sound);
      case 'instructed':
        return this.#instructing.get(message.nth)?.settle(message.isTaken ? 'taken' : 'not_talking');
      case 'finished':
        return this.#finishing?.settle(message.result);
      case 'closed':
        return this.#closing?.settle(message.report);
      default:
        return unreachable(message);
    }
  }

  /** The thread is gone: pending requests get their fallbacks. */
  lose(): void {
    this.#lost = true;
    this.#opening.settle({ kind: 'failed', message: 'the media thread is gone' });
    if (this.#conversation && !this.#finishing) this.#failConversation();
    for (const instruction of this.#instructing.values()) instruction.giveUp();
    this.#finishing?.giveUp();
    this.#closing?.giveUp();
  }

  #stopTime(): StopTime {
    const { clock, rightEndsAtMs } = this.#options;
    this.#sentEndMs = rightEndsAtMs();
    return stopTimeOf(clock, this.#sentEndMs);
  }

  #monitor(forMs: number, listener: (sound: CallSound) => void): void {
    this.#onSound = forMs > 0 ? listener : undefined;
    this.#options.post({ kind: 'tap_sound', sessionId: this.id, forMs, taken: this.#taken.buffer });
  }

  async #instruct(text: string): Promise<InstructOutcome> {
    const { clock, post } = this.#options;
    if (this.#lost || this.#finishing) return 'not_talking';
    this.#instructions += 1;
    const nth = this.#instructions;
    const answer = new PendingReply<InstructOutcome>(clock, MAX_INSTRUCTING_MS, 'not_talking');
    this.#instructing.set(nth, answer);
    post({ kind: 'instruct', sessionId: this.id, nth, text, untilWallMs: clock.nowMs() + MAX_INSTRUCTING_MS });
    const outcome = await answer.promise;
    this.#instructing.delete(nth);
    return outcome;
  }

  #failConversation(): void {
    this.#conversationEvents.emit({
      kind: 'hang_up',
      reason: 'agent_error',
      failure: { code: 'agent_failed', field: null },
    });
  }

  #finish(): Promise<ConversationResult> {
    if (!this.#finishing) {
      this.#finishing = this.#ask(EMPTY_RESULT);
      this.#options.post({ kind: 'finish', sessionId: this.id });
    }
    return this.#finishing.promise;
  }

  #ask<T>(otherwise: T): PendingReply<T> {
    const answer = new PendingReply(this.#options.clock, MAX_ENDING_MS, otherwise);
    if (this.#lost) answer.giveUp();
    void answer.promise.then(() => this.#whenOver());
    return answer;
  }

  #whenOver(): void {
    const finished = this.#conversation ? this.#finishing?.isSettled : true;
    if (finished && this.#closing?.isSettled) this.#options.onOver(this);
  }
}
