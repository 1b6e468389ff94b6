import {
  callFailureOf,
  type CallSound,
  type Conversation,
  type ConversationEvent,
  type ConversationResult,
  type Conversations,
  type Frame,
  type InstructOutcome,
  type Leg,
  type LegMedia,
  type RecordingStore,
  type SecondMedia,
  type TransferFailure,
  type VoiceAgentEvent,
  type VoiceAgentFactory,
} from '@outdial/calls';
import { invariant, unreachable } from '@outdial/kernel';
import { EventChannel } from '../event-channel.ts';
import { CallAgent } from './call-agent.ts';
import { CallRecording } from './call-recording.ts';
import { interleave, SILENCE, STEREO_FRAME_SAMPLES } from './frames.ts';
import type { MediaClock, TickSubscription } from './media-clock.ts';
import { SecondParty, type PartyTick } from './second-party.ts';
import { SoundTap, takenBatches, type OpenTap } from './sound-tap.ts';

export interface ConversationsOptions {
  readonly clock: MediaClock;
  readonly agents: VoiceAgentFactory;
  readonly recordings: RecordingStore;
  /**
   * Called when an agent failed or a recording could not be started. The call continues, or ends with `agent_error`.
   */
  readonly onError: (error: unknown) => void;
}

/** The input of a conversation; it needs only the media of the leg. */
export type OpenConversation = Omit<Parameters<Conversations['open']>[0], 'leg'> & { readonly leg: Pick<Leg, 'media'> };

/** One call: every tick takes a frame from the leg, passes it to the agent or to a second party, and records both sides. */
export class MediaConversation implements Conversation {
  readonly #options: ConversationsOptions;
  readonly #media: LegMedia;
  readonly #events = new EventChannel<ConversationEvent>();
  readonly #recording: CallRecording;
  readonly #agent: CallAgent;
  readonly #stereo = new Int16Array(STEREO_FRAME_SAMPLES);
  readonly #tap = new SoundTap();
  readonly #taken = takenBatches();
  /** The callee waits for the destination of a warm transfer, or talks to it. */
  #second: SecondParty | null = null;
  #said: Promise<Omit<ConversationResult, 'recordingKey'>> | undefined;
  #hangUpEmitted = false;
  #ticks: TickSubscription | undefined;
  #result: Promise<ConversationResult> | undefined;

  constructor(options: ConversationsOptions, input: OpenConversation) {
    this.#options = options;
    invariant(input.leg.media, "a conversation runs in the thread of its leg's media");
    this.#media = input.leg.media;
    const { callId, settings, variables } = input;
    this.#recording = new CallRecording(options.recordings, callId, options.onError);
    this.#agent = new CallAgent({
      agents: options.agents,
      call: { callId, settings, variables },
      media: this.#media,
      speed: options.clock.speed,
      isOver: () => this.#result !== undefined,
      hasLeft: () => this.#result !== undefined || this.#said !== undefined,
      onEvent: (event) => this.#onAgentEvent(event),
      onFailed: (error) => this.#onAgentFailed(error),
      onUnfinished: options.onError,
    });
  }

  listen(listener: (event: ConversationEvent) => void): void {
    this.#events.listen(listener);
  }

  answered(): void {
    if (this.#ticks || this.#result) return;
    // Digits pressed during early media were not meant for the agent.
    this.#media.receiveDigits();
    this.#ticks = this.#options.clock.prepare(() => this.#tick());
  }

  setOnHold(isOnHold: boolean): void {
    this.#agent.setOnHold(isOnHold);
  }

  transferFailed(failure: TransferFailure): void {
    if (this.#second?.isConnected) return;
    this.#second = null;
    if (!this.#result) this.#agent.transferFailed(failure);
  }

  monitor(forMs: number, listener: (sound: CallSound) => void): void {
    const taken = this.#taken;
    this.tapSound({
      forMs,
      taken,
      onBatch(sound) {
        Atomics.add(taken, 0, 1);
        listener(sound);
      },
    });
  }

  /** Like `monitor`, for a reader in another thread. */
  tapSound(tap: OpenTap): void {
    this.#tap.open({ ...tap, forMs: tap.forMs * this.#options.clock.speed });
  }

  async instruct(text: string): Promise<InstructOutcome> {
    return this.instructAgent(text) ? 'taken' : 'not_talking';
  }

  /** The same, for a sender in another thread. */
  instructAgent(text: string): boolean {
    const isTalking = this.#ticks !== undefined && !this.#result && !this.#said;
    return isTalking && this.#agent.instruct(text);
  }

  introduce({ leg: { media } }: SecondMedia): void {
    invariant(media, "a second leg's media is in the thread of the conversation");
    if (this.#agent.hasFailed || this.#result || !this.#second) return;
    this.#second.answered(media);
    this.#agent.introduce();
  }

  finish(): Promise<ConversationResult> {
    this.#result ??= this.#finish();
    return this.#result;
  }

  #tick(): void {
    const heard = this.#media.receive() ?? SILENCE;
    const { toCallee, besideCallee } = this.#turn(heard);
    if (toCallee) this.#media.send(toCallee);
    interleave(this.#stereo, heard, besideCallee ?? SILENCE);
    this.#recording.write(this.#stereo);
    this.#tap.write(this.#stereo);
  }

  #turn(heard: Frame): Partial<PartyTick> {
    if (this.#second?.isConnected) return this.#second.relay(heard);
    // Who waits is not heard: the agent speaks to another person.
    const spoken = this.#agent.converse(this.#second ? SILENCE : heard);
    if (!this.#second) return spoken ? { toCallee: spoken, besideCallee: spoken } : {};
    return this.#second.isConnected ? this.#second.relay(heard) : this.#second.wait(spoken);
  }

  #onAgentEvent(event: VoiceAgentEvent): void {
    switch (event.kind) {
      case 'transfer':
        if (event.warm) this.#second = new SecondParty(this.#media);
        this.#events.emit(event);
        break;
      case 'introduced':
        this.#connect();
        break;
      case 'opt_out':
        // The callee is to hear the confirmation.
        if (!this.#second?.isConnected) this.#second = null;
        this.#events.emit(event);
        break;
      case 'answered_by':
      case 'turn':
      case 'usage':
      case 'tool_called':
      case 'provider_failed':
      case 'provider_recovered':
      case 'turn_metrics':
        this.#events.emit(event);
        break;
      case 'interrupted':
        if (this.#second) this.#second.clear();
        else this.#media.clear();
        break;
      case 'send_digits':
        this.#media.sendDigits(event.digits);
        break;
      case 'hang_up':
        this.#emitHangUp(event);
        break;
      default:
        unreachable(event);
    }
  }

  /** Both people hear each other, and the agent leaves: what it reports from now on are its last words and usage. */
  #connect(): void {
    if (!this.#second || this.#second.isConnected || this.#result) return;
    this.#second.connect();
    this.#said = this.#agent.finish();
    this.#events.emit({ kind: 'introduced' });
  }

  #emitHangUp(event: Extract<ConversationEvent, { kind: 'hang_up' }>): void {
    if (this.#hangUpEmitted || this.#said) return;
    this.#hangUpEmitted = true;
    this.#events.emit(event);
  }

  #onAgentFailed(error: unknown): void {
    if (this.#result) return;
    this.#options.onError(error);
    this.#emitHangUp({ kind: 'hang_up', reason: 'agent_error', failure: callFailureOf(error) });
  }

  async #finish(): Promise<ConversationResult> {
    const wasAnswered = this.#ticks !== undefined;
    this.#ticks?.cancel();
    // Neither waits for the other: an agent may have to ask a provider for the last words.
    const [said, recordingKey] = await Promise.all([this.#said ?? this.#agent.finish(), this.#recording.finish()]);
    if (!wasAnswered) return { transcript: null, summary: null, answeredBy: null, recordingKey };
    return { ...said, recordingKey };
  }
}
