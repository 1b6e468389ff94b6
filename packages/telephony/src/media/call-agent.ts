import {
  FRAME_MS,
  FRAME_SAMPLES,
  type ConversationResult,
  type Frame,
  type LegMedia,
  type TransferFailure,
  type VoiceAgent,
  type VoiceAgentEvent,
  type VoiceAgentFactory,
} from '@outdial/calls';
import type { Turn } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

/** The longest silence for an answered callee while the agent is still being prepared. */
const MAX_WAIT_FOR_AGENT_MS = 5_000;

export interface CallAgentOptions {
  readonly agents: VoiceAgentFactory;
  readonly call: Parameters<VoiceAgentFactory['prepare']>[0];
  readonly media: Pick<LegMedia, 'receiveDigits'>;
  /** How many times faster than life the media runs. */
  readonly speed: number;
  /** The call is over: an agent that is ready only now is of no use. */
  readonly isOver: () => boolean;
  /** The agent only finishes. */
  readonly hasLeft: () => boolean;
  readonly onEvent: (event: VoiceAgentEvent) => void;
  /** It failed, and does nothing more in the call. */
  readonly onFailed: (error: unknown) => void;
  /** It has no last words. */
  readonly onUnfinished: (error: unknown) => void;
}

/** The agent of one call, from its preparation to its result. It may fail at any time; the call does not. */
export class CallAgent {
  readonly #options: CallAgentOptions;
  /**
   * What the callee said before the agent was ready. The agent hears it afterwards, so that its time matches the
   * call's.
   */
  #missed: Frame[] = [];
  /** The reported turns, in case the agent's own result is not available. */
  readonly #turns: Turn[] = [];
  #answeredBy: ConversationResult['answeredBy'] = null;
  #agent: VoiceAgent | undefined;
  #hasFailed = false;
  #isOnHold = false;

  constructor(options: CallAgentOptions) {
    this.#options = options;
    void this.#prepare();
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** What the agent says while it hears this frame. */
  converse(heard: Frame): Frame | undefined {
    if (this.#hasFailed) return undefined;
    try {
      if (!this.#agent) {
        this.#missed.push(heard.slice());
        // Preparing an agent takes real time, however fast the media runs.
        const waitedMs = (this.#missed.length * FRAME_MS) / this.#options.speed;
        invariant(waitedMs <= MAX_WAIT_FOR_AGENT_MS, 'the agent was not ready in time');
        return undefined;
      }
      const digits = this.#options.media.receiveDigits();
      if (digits !== '') this.#agent.hearDigits(digits);
      this.#agent.hear(heard);
      const spoken = this.#agent.speak();
      invariant(spoken === undefined || spoken.length === FRAME_SAMPLES, 'an agent must return frames of 20 ms');
      return spoken;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  setOnHold(isOnHold: boolean): void {
    this.#isOnHold = isOnHold;
    if (!this.#options.hasLeft()) this.#do((agent) => agent.setOnHold(isOnHold));
  }

  transferFailed(failure: TransferFailure): void {
    this.#do((agent) => agent.transferFailed?.(failure));
  }

  introduce(): void {
    this.#do((agent) => agent.introduce?.());
  }

  /** Whether it takes the instruction. */
  instruct(text: string): boolean {
    return this.#do((agent) => agent.instruct?.(text)) ?? false;
  }

  async finish(): Promise<Omit<ConversationResult, 'recordingKey'>> {
    try {
      if (this.#agent) return await this.#agent.finish();
    } catch (error) {
      this.#options.onUnfinished(error);
    }
    const transcript = this.#turns.length > 0 ? this.#turns : null;
    return { transcript, summary: null, answeredBy: this.#answeredBy };
  }

  async #prepare(): Promise<void> {
    const { agents, call, isOver } = this.#options;
    try {
      const agent = await agents.prepare(call);
      if (isOver()) {
        await agent.finish();
        return;
      }
      agent.listen((event) => this.#report(event));
      for (const frame of this.#missed) agent.hear(frame);
      this.#missed = [];
      this.#agent = agent;
      if (this.#isOnHold) this.setOnHold(true);
    } catch (error) {
      this.#fail(error);
    }
  }

  #report(event: VoiceAgentEvent): void {
    if (event.kind === 'turn') this.#turns.push(event.turn);
    if (event.kind === 'answered_by') this.#answeredBy = event.answeredBy;
    this.#options.onEvent(event);
  }

  #do<Result>(act: (agent: VoiceAgent) => Result): Result | undefined {
    if (this.#hasFailed || !this.#agent) return undefined;
    try {
      return act(this.#agent);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#missed = [];
    this.#options.onFailed(error);
  }
}
