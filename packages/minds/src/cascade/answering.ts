import { unreachable, type Clock } from '@outdial/kernel';
import type { History } from '../history.ts';
import { instructedBy } from '../instructions.ts';
import type { HistoryItem, MindEvent, ProviderFailure } from '../mind.ts';
import type { ToolCalls } from '../tool-calls.ts';
import type { Tool } from '../tool.ts';
import { Answer } from './answer.ts';
import { AnswerTimes } from './answer-times.ts';
import { Draft } from './draft.ts';
import type { LanguageModel, LanguageModelRequest } from './llm/language-model.ts';
import { Thinking, type ThinkingEvent } from './thinking.ts';
import type { Voice } from './voice.ts';

export interface AnsweringInput {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly models: readonly LanguageModel[];
  readonly clock: Clock;
  readonly history: History;
  readonly toolCalls: ToolCalls;
  readonly voice: Pick<Voice, 'speak' | 'finish' | 'cancel'>;
  readonly emit: (event: MindEvent) => void;
}

export type AnswerRequest =
  | { readonly kind: 'say'; readonly text: string }
  | {
      readonly kind: 'respond';
      readonly hint: string | null;
      readonly toTurn: boolean;
      /** Of the callee's turn. */
      readonly endpointingMs?: number;
    };

/** The answers of a cascade, one at a time: from a request over the model's text to the end of its sound. */
export class Answering {
  readonly #input: AnsweringInput;
  readonly #requests: (AnswerRequest & { readonly item: string | null })[] = [];
  readonly #cutItems = new Set<string>();
  #answer: Answer | null = null;
  #thinking: Thinking | Draft | null = null;
  #draft: Draft | null = null;
  #times: AnswerTimes | null = null;
  #items = 0;
  #isStopped = false;

  constructor(input: AnsweringInput) {
    this.#input = input;
  }

  request(request: AnswerRequest): void {
    if (this.#isStopped) return;
    // What is said while a tool runs has its place before the result, also if that is here when its sound begins.
    const item = request.kind === 'say' && this.#input.toolCalls.areRunning ? this.#newItem() : null;
    if (item !== null) this.#place(item);
    this.#requests.push({ ...request, item });
    this.#next();
  }

  /** Answers a turn of the callee, which ended `endpointingMs` after its last word. */
  answerTurn(text: string, endpointingMs: number): void {
    // What the callee added comes before anything was heard of the answer: one answer to both.
    const answer = this.#answer;
    if (answer?.toTurn === true && !answer.soundBegan) this.#cancel(0);
    const waits = this.#requests.some((request) => request.kind === 'respond' && request.toTurn);
    if (waits) return this.dropDraft();
    if (this.#draft?.text !== text || this.#isBusy()) this.dropDraft();
    this.request({ kind: 'respond', hint: null, toTurn: true, endpointingMs });
  }

  /** The turn is probably over: the model may begin, unheard. */
  beginDraft(text: string): void {
    this.dropDraft();
    if (this.#isStopped || this.#isBusy()) return;
    const { history, emit } = this.#input;
    const conversation: readonly HistoryItem[] = [...history.items(), { kind: 'callee', text }];
    this.#draft = new Draft(text, (listener) => this.#think(null, conversation, listener));
    this.#draft.usageTo((entries) => emit({ kind: 'usage', entries }));
  }

  dropDraft(): void {
    this.#draft?.cancel();
    this.#draft = null;
  }

  soundBegan(item: string): void {
    if (this.#answer?.item !== item) return;
    this.#answer.soundBegan = true;
    const delays = this.#times?.firstSound() ?? null;
    if (delays !== null) this.#input.emit({ kind: 'answer_timed', item, ...delays });
  }

  soundOver(item: string): void {
    if (this.#answer?.item === item) this.#over(this.#answer.outcome);
  }

  cut({ item, playedMs, heardText }: { readonly item: string; readonly playedMs: number; readonly heardText: string }) {
    if (this.#cutItems.has(item)) return;
    this.#cutItems.add(item);
    this.#input.history.cut(item, heardText);
    if (this.#answer?.item === item) this.#cancel(playedMs);
  }

  /** What the models still have to report is usage. */
  stop(): void {
    this.#isStopped = true;
    this.#draft?.cancel();
    this.#thinking?.cancel();
  }

  #isBusy(): boolean {
    return this.#answer !== null || this.#requests.length > 0;
  }

  #next(): void {
    if (this.#isStopped || this.#answer !== null) return;
    const request = this.#requests.shift();
    if (request === undefined) return;
    const item = request.item ?? this.#newItem();
    const toTurn = request.kind === 'respond' && request.toTurn;
    const answer = new Answer({ item, toTurn, speak: (text) => this.#speak(item, text) });
    this.#answer = answer;
    this.#times = null;
    if (request.kind === 'say') {
      answer.sayExactly(request.text);
      return this.#textOver(answer);
    }
    const times = new AnswerTimes(this.#input.clock, request.endpointingMs ?? null);
    this.#times = times;
    const listener = (event: ThinkingEvent) => {
      if (event.kind === 'text' || event.kind === 'tool_call') times.firstToken();
      this.#thought(answer, event);
    };
    const draft = this.#draft;
    this.#draft = null;
    if (draft !== null && request.toTurn) {
      this.#thinking = draft;
      return draft.use(listener);
    }
    draft?.cancel();
    this.#thinking = this.#think(request.hint, this.#input.history.items(), listener);
  }

  #think(
    hint: string | null,
    conversation: readonly HistoryItem[],
    listener: (event: ThinkingEvent) => void,
  ): Thinking {
    const { instructions, tools, models, clock } = this.#input;
    const instructed = instructedBy(instructions, conversation);
    const hinted = hint === null ? instructed : `${instructed}\n\n${hint}`;
    const request: LanguageModelRequest = { instructions: hinted, conversation, tools };
    return new Thinking({ models, request, clock, listener });
  }

  #thought(answer: Answer, event: ThinkingEvent): void {
    const { toolCalls, emit } = this.#input;
    if (event.kind === 'usage' || event.kind === 'recovered') return emit(event);
    if (this.#answer !== answer) return;
    switch (event.kind) {
      case 'text':
        return answer.write(event.text);
      case 'tool_call':
        answer.calledTool();
        toolCalls.called(event.id);
        return emit(event);
      case 'over':
        answer.outcome = event.outcome;
        answer.end();
        return this.#textOver(answer);
      case 'failed':
        return this.#failed(answer, event.failure);
      default:
        return unreachable(event);
    }
  }

  #speak(item: string, text: string): void {
    // The answer's place in the conversation is before the tools that it calls, also if its sound comes after.
    this.#place(item);
    this.#input.voice.speak(item, text);
  }

  #newItem(): string {
    this.#items += 1;
    return `item_${this.#items}`;
  }

  #place(item: string): void {
    this.#input.history.observe({ kind: 'words', item, text: '' });
  }

  #textOver(answer: Answer): void {
    this.#thinking = null;
    if (answer.spoke) this.#input.voice.finish(answer.item);
    else this.#over(answer.outcome);
  }

  /** What was written until then is still spoken. */
  #failed(answer: Answer, failure: ProviderFailure): void {
    answer.failure = failure;
    answer.end();
    this.#textOver(answer);
  }

  #cancel(playedMs: number): void {
    const answer = this.#answer;
    if (answer === null) return;
    this.#thinking?.cancel();
    this.#input.voice.cancel(answer.item, playedMs);
    // Nothing of it was heard: it was never said.
    if (!answer.soundBegan && !this.#cutItems.has(answer.item)) this.#input.history.forget(answer.item);
    this.#over('cancelled');
  }

  #over(outcome: 'completed' | 'cancelled' | 'incomplete'): void {
    const { empty = true, failure = null } = this.#answer ?? {};
    this.#answer = null;
    this.#thinking = null;
    if (failure === null) this.#input.emit({ kind: 'answer_over', outcome, empty });
    else this.#input.emit({ kind: 'answer_failed', failure });
    this.#next();
  }
}
