import { randomUUID } from 'node:crypto';
import type { Clock, Timer } from '@outdial/kernel';
import type { MindEvent } from '../../mind.ts';
import { Downsampler } from '../../sound/downsampler.ts';
import { Answer } from './answer.ts';
import type { FunctionCall, ServerContent } from './wire.ts';

export interface AnswersInput {
  /** Part of the names of items. */
  readonly name: string;
  readonly clock: Clock;
  readonly emit: (event: MindEvent) => void;
  /** An answer begins. True: the callee does not hear it. */
  readonly begins: () => boolean;
  /** Of an answer that the callee does not hear. */
  readonly calledTooEarly: (call: { readonly id: string; readonly name: string }) => void;
  readonly called: (call: { readonly id: string; readonly name: string; readonly argumentsText: string }) => void;
  readonly soundOver: () => void;
  /** `reason`: why the provider says that it ended. */
  readonly over: (answer: Answer, reason: string | undefined) => void;
}

const PROVIDER_RATE_HZ = 24_000;
/** An answer that called a tool, and of which nothing more comes for as long, is complete. */
const AFTER_CALL_MS = 1_000;

/** The answers of a model, one after the other: their sound, words and calls, and where each ends. */
export class Answers {
  readonly #input: AnswersInput;
  readonly #downsampler = new Downsampler(PROVIDER_RATE_HZ);
  #current: Answer | null = null;
  #begun = 0;
  /** The provider gave up an answer of which nothing came. */
  #wasInterruptedEarly = false;
  /** The answer before is over, and the provider may still say so. */
  #wasEndedByUs = false;
  #afterCall: Timer | null = null;

  constructor(input: AnswersInput) {
    this.#input = input;
  }

  get current(): Answer | null {
    return this.#current;
  }

  /** Parts of an answer, in the order that they have in a message. */
  received({ modelTurn, outputTranscription, generationComplete, interrupted }: ServerContent): void {
    for (const { inlineData } of modelTurn?.parts ?? []) if (inlineData !== undefined) this.#sound(inlineData);
    if (outputTranscription !== undefined && outputTranscription.text !== '') this.#words(outputTranscription.text);
    if (interrupted) this.#interrupted();
    if (generationComplete || interrupted) this.#soundOver();
  }

  called({ id = randomUUID(), name, args }: FunctionCall): void {
    const answer = this.#begin();
    answer.saidSomething = true;
    this.#afterCall = this.#input.clock.after(AFTER_CALL_MS, () => {
      this.#wasEndedByUs = true;
      this.#over(undefined);
    });
    if (answer.isMuted) this.#input.calledTooEarly({ id, name });
    else this.#input.called({ id, name, argumentsText: JSON.stringify(args) });
  }

  turnComplete(reason: string | undefined): void {
    if (this.#current !== null) return this.#over(reason);
    // Of an answer that was given up before it began: the one that was asked for follows.
    const isKnown = this.#wasInterruptedEarly || this.#wasEndedByUs;
    this.#wasInterruptedEarly = false;
    this.#wasEndedByUs = false;
    if (isKnown) return;
    // The model has nothing to say.
    this.#begin();
    this.#over(reason);
  }

  /** Nothing follows. */
  stop(): void {
    this.#afterCall?.cancel();
  }

  /** The answer that something belongs to. */
  #begin(): Answer {
    this.#afterCall?.cancel();
    if (this.#current !== null) return this.#current;
    this.#wasInterruptedEarly = false;
    this.#wasEndedByUs = false;
    const isMuted = this.#input.begins();
    this.#begun += 1;
    this.#current = new Answer(`${this.#input.name}_${this.#begun}`, isMuted, this.#downsampler);
    return this.#current;
  }

  #sound({ mimeType, data }: { readonly mimeType: string; readonly data: string }): void {
    const { emit } = this.#input;
    if (!/^audio\/pcm(?:;rate=24000)?$/.test(mimeType)) {
      return emit({ kind: 'ignored', message: 'sound in another format' });
    }
    const answer = this.#begin();
    const ulaw = answer.sound(Buffer.from(data, 'base64'));
    if (!answer.isDropped && ulaw.length > 0) emit({ kind: 'sound', item: answer.name, ulaw });
  }

  #words(text: string): void {
    const answer = this.#begin();
    answer.words += text;
    if (!answer.isDropped) this.#input.emit({ kind: 'words', item: answer.name, text });
  }

  #interrupted(): void {
    if (this.#current === null) this.#wasInterruptedEarly = true;
    else this.#current.wasInterrupted = true;
  }

  #soundOver(): void {
    const answer = this.#current;
    const rest = answer?.endSound() ?? null;
    if (answer === null || rest === null || answer.isMuted) return;
    const { emit, soundOver } = this.#input;
    if (!answer.isCut && rest.length > 0) emit({ kind: 'sound', item: answer.name, ulaw: rest });
    emit({ kind: 'item_over', item: answer.name });
    soundOver();
  }

  #over(reason: string | undefined): void {
    const answer = this.#current;
    if (answer === null) return;
    this.#afterCall?.cancel();
    this.#soundOver();
    this.#current = null;
    this.#input.over(answer, reason);
  }
}
