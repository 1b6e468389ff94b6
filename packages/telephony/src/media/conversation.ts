import {
  callFailureOf,
  FRAME_MS,
  FRAME_SAMPLES,
  type CallSound,
  type Conversation,
  type ConversationEvent,
  type ConversationResult,
  type Conversations,
  type Frame,
  type InstructOutcome,
  type Leg,
  type LegMedia,
  type RecordingSink,
  type RecordingStore,
  type SecondMedia,
  type TransferFailure,
  type VoiceAgent,
  type VoiceAgentEvent,
  type VoiceAgentFactory,
} from '@outdial/calls';
import type { Turn } from '@outdial/contracts';
import { invariant, unreachable } from '@outdial/kernel';
import { EventChannel } from '../event-channel.ts';
import { interleave, SILENCE, STEREO_FRAME_SAMPLES } from './frames.ts';
import type { MediaClock, TickSubscription } from './media-clock.ts';
import { SecondParty, type PartyTick } from './second-party.ts';
import { SoundTap, takenBatches, type OpenTap } from './sound-tap.ts';

/** The longest silence for an answered callee while the agent is still being prepared. */
const MAX_WAIT_FOR_AGENT_MS = 5_000;

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

/** The media of one call. Every tick takes a frame from the leg, passes it to the agent, and records both sides. */
export class MediaConversation implements Conversation {
  readonly #options: ConversationsOptions;
  readonly #media: LegMedia;
  readonly #events = new EventChannel<ConversationEvent>();
  readonly #recording: RecordingSink | undefined;
  readonly #stereo = new Int16Array(STEREO_FRAME_SAMPLES);
  readonly #tap = new SoundTap();
  readonly #taken = takenBatches();
  /**
   * What the callee said before the agent was ready. The agent hears it afterwards, so that its time matches the
   * call's.
   */
  #missed: Frame[] = [];
  /** The reported turns, in case the agent's own result is not available. */
  readonly #turns: Turn[] = [];
  #answeredBy: ConversationResult['answeredBy'] = null;
  #agent: VoiceAgent | undefined;
  #agentFailed = false;
  #isOnHold = false;
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
    this.#recording = this.#beginRecording(input);
    void this.#prepareAgent(input);
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
    this.#isOnHold = isOnHold;
    this.#passOnHoldToAgent();
  }

  transferFailed(failure: TransferFailure): void {
    if (this.#second?.isConnected) return;
    this.#second = null;
    if (this.#agentFailed || this.#result) return;
    try {
      this.#agent?.transferFailed?.(failure);
    } catch (error) {
      this.#failAgent(error);
    }
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
    const isTalking = this.#ticks !== undefined && !this.#result && !this.#said && !this.#agentFailed;
    if (!isTalking) return false;
    try {
      return this.#agent?.instruct?.(text) ?? false;
    } catch (error) {
      this.#failAgent(error);
      return false;
    }
  }

  introduce({ leg: { media } }: SecondMedia): void {
    invariant(media, "a second leg's media is in the thread of the conversation");
    if (this.#agentFailed || this.#result || !this.#second) return;
    this.#second.answered(media);
    try {
      this.#agent?.introduce?.();
    } catch (error) {
      this.#failAgent(error);
    }
  }

  finish(): Promise<ConversationResult> {
    this.#result ??= this.#finish();
    return this.#result;
  }

  #beginRecording(input: OpenConversation): RecordingSink | undefined {
    try {
      return this.#options.recordings.create(input.callId);
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }

  async #prepareAgent({ callId, settings, variables }: OpenConversation): Promise<void> {
    try {
      const agent = await this.#options.agents.prepare({ callId, settings, variables });
      if (this.#result) {
        await agent.finish();
        return;
      }
      agent.listen((event) => this.#onAgentEvent(event));
      for (const frame of this.#missed) agent.hear(frame);
      this.#missed = [];
      this.#agent = agent;
      if (this.#isOnHold) this.#passOnHoldToAgent();
    } catch (error) {
      this.#failAgent(error);
    }
  }

  #tick(): void {
    const heard = this.#media.receive() ?? SILENCE;
    const { toCallee, besideCallee } = this.#turn(heard);
    if (toCallee) this.#media.send(toCallee);
    interleave(this.#stereo, heard, besideCallee ?? SILENCE);
    this.#recording?.write(this.#stereo);
    this.#tap.write(this.#stereo);
  }

  #turn(heard: Frame): Partial<PartyTick> {
    if (this.#second?.isConnected) return this.#second.relay(heard);
    // Who waits is not heard: the agent speaks to another person.
    const spoken = this.#converse(this.#second ? SILENCE : heard);
    if (!this.#second) return spoken ? { toCallee: spoken, besideCallee: spoken } : {};
    return this.#second.isConnected ? this.#second.relay(heard) : this.#second.wait(spoken);
  }

  #converse(heard: Frame): Frame | undefined {
    if (this.#agentFailed) return undefined;
    try {
      if (!this.#agent) {
        this.#missed.push(heard.slice());
        // Preparing an agent takes real time, however fast the media runs.
        const waitedMs = (this.#missed.length * FRAME_MS) / this.#options.clock.speed;
        invariant(waitedMs <= MAX_WAIT_FOR_AGENT_MS, 'the agent was not ready in time');
        return undefined;
      }
      const digits = this.#media.receiveDigits();
      if (digits !== '') this.#agent.hearDigits(digits);
      this.#agent.hear(heard);
      const spoken = this.#agent.speak();
      invariant(spoken === undefined || spoken.length === FRAME_SAMPLES, 'an agent must return frames of 20 ms');
      return spoken;
    } catch (error) {
      this.#failAgent(error);
      return undefined;
    }
  }

  #passOnHoldToAgent(): void {
    if (this.#agentFailed || this.#result || this.#said) return;
    try {
      this.#agent?.setOnHold(this.#isOnHold);
    } catch (error) {
      this.#failAgent(error);
    }
  }

  #onAgentEvent(event: VoiceAgentEvent): void {
    switch (event.kind) {
      case 'answered_by':
        this.#answeredBy = event.answeredBy;
        this.#events.emit(event);
        break;
      case 'turn':
        this.#turns.push(event.turn);
        this.#events.emit(event);
        break;
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
    this.#said = this.#finishAgent();
    this.#events.emit({ kind: 'introduced' });
  }

  #emitHangUp(event: Extract<ConversationEvent, { kind: 'hang_up' }>): void {
    if (this.#hangUpEmitted || this.#said) return;
    this.#hangUpEmitted = true;
    this.#events.emit(event);
  }

  #failAgent(error: unknown): void {
    this.#agentFailed = true;
    this.#missed = [];
    if (this.#result) return;
    this.#options.onError(error);
    this.#emitHangUp({ kind: 'hang_up', reason: 'agent_error', failure: callFailureOf(error) });
  }

  async #finish(): Promise<ConversationResult> {
    const wasAnswered = this.#ticks !== undefined;
    this.#ticks?.cancel();
    // Neither waits for the other: an agent may have to ask a provider for the last words.
    const [said, recorded] = await Promise.all([this.#said ?? this.#finishAgent(), this.#finishRecording()]);
    const recordingKey = recorded && this.#recording ? this.#recording.key : null;
    if (!wasAnswered) return { transcript: null, summary: null, answeredBy: null, recordingKey };
    return { ...said, recordingKey };
  }

  async #finishAgent(): Promise<Omit<ConversationResult, 'recordingKey'>> {
    try {
      if (this.#agent) return await this.#agent.finish();
    } catch (error) {
      this.#options.onError(error);
    }
    const transcript = this.#turns.length > 0 ? this.#turns : null;
    return { transcript, summary: null, answeredBy: this.#answeredBy };
  }

  async #finishRecording(): Promise<boolean> {
    try {
      return (await this.#recording?.close()) ?? false;
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
  }
}
