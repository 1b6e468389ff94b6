import type { AnsweredBy, ConductedSettings } from '@outdial/contracts';
import type { Heard } from '../../hearing/turn-detector.ts';
import type { Moment } from '../move-on.ts';
import type { Acts } from './acts.ts';
import type { Conversation } from './conversation.ts';
import type { Ending } from './ending.ts';
import type { Gate } from './gate.ts';
import type { Transferring } from './transferring.ts';

export interface MomentSources {
  readonly conversation: Conversation;
  readonly gate: Gate;
  readonly acts: Acts;
  readonly ending: Ending;
  readonly transferring: Transferring;
}

/**
 * A conversation as it is now. One object for all frames of a call: a new one for each frame was the largest part of what
 * the media thread's garbage collection had to collect.
 */
export class PresentMoment implements Moment {
  heard: Heard = { nowMs: 0, turn: undefined, ended: undefined, beep: false, tone: false };
  readonly #conversation: Conversation;
  readonly #sources: MomentSources;

  constructor(sources: MomentSources) {
    this.#sources = sources;
    this.#conversation = sources.conversation;
  }

  get settings(): ConductedSettings {
    return this.#conversation.settings;
  }

  get answeredBy(): AnsweredBy | undefined {
    return this.#conversation.record.answeredBy;
  }

  get firstWordMs(): number | undefined {
    return this.#conversation.voice.firstWordMs;
  }

  get playing(): boolean {
    return this.#conversation.voice.playing;
  }

  get paused(): { readonly sinceMs: number } | null {
    return this.#conversation.voice.paused;
  }

  get starvedMs(): number {
    return this.#conversation.voice.starvedMs;
  }

  get speechOverMs(): number {
    return this.#conversation.over.speechOverMs;
  }

  get calleeSilentMs(): number {
    return this.#conversation.over.calleeSilentMs;
  }

  get providerHeard(): boolean {
    return this.#conversation.over.providerHeard;
  }

  get wordsOver(): string | null {
    return this.#conversation.over.wordsOver;
  }

  get quietSinceMs(): number {
    return this.#conversation.waiting.quietSinceMs;
  }

  get owedSinceMs(): number | null {
    return this.#conversation.waiting.owedSinceMs;
  }

  get toolsRunning(): boolean {
    return this.#conversation.waiting.areToolsRunning || this.#sources.acts.pressesKeys;
  }

  get waitFilled(): boolean {
    return this.#conversation.waiting.isFilled || this.#conversation.voice.builtInState() !== 'idle';
  }

  get isLate(): boolean {
    return this.#conversation.waiting.isLate;
  }

  get soundMissing(): boolean {
    return this.#conversation.voice.isSoundMissing;
  }

  get settled(): boolean {
    return this.#sources.gate.isSettled;
  }

  get mayCancelEnd(): boolean {
    return this.#sources.ending.mayBeCanceled;
  }

  get isTransferring(): boolean {
    return this.#sources.transferring.isUnderWay;
  }

  get isIntroducing(): boolean {
    return this.#sources.transferring.isIntroducing;
  }
}
