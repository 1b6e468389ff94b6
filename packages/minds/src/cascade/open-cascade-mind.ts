import { unreachable, type Clock } from '@outdial/kernel';
import { History } from '../history.ts';
import type { HistoryItem, Mind, MindEvent, ProviderFailure } from '../mind.ts';
import { ToolCalls } from '../realtime/openai/tool-calls.ts';
import type { Tool } from '../tool.ts';
import { Answer } from './answer.ts';
import { Draft } from './draft.ts';
import type { LanguageModel, LanguageModelRequest } from './llm/language-model.ts';
import { Listening, type ListeningEvent } from './listening.ts';
import type { OpenSpeechToText } from './stt/speech-to-text.ts';
import { Thinking, type ThinkingEvent } from './thinking.ts';
import type { OpenTextToSpeech } from './tts/text-to-speech.ts';
import { Voice, type VoiceEvent } from './voice.ts';

export interface CascadeMindInput {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Each with its fallbacks after it; none is empty. */
  readonly stt: readonly OpenSpeechToText[];
  readonly llm: readonly LanguageModel[];
  readonly tts: readonly OpenTextToSpeech[];
  readonly clock: Clock;
  readonly listener: (event: MindEvent) => void;
  /** What was said before. */
  readonly history?: readonly HistoryItem[];
}

type Request =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'respond'; readonly hint: string | null; readonly toTurn: boolean };

/** Until a model must have answered its check. */
const CHECK_MS = 3_000;

/**
 * A conversation of three providers: one that hears, a model that answers in text, and one that speaks. Each is replaced
 * by its fallbacks, so it needs no `openReconnectingMind` around it.
 */
export function openCascadeMind(input: CascadeMindInput): Mind {
  return new CascadeMind(input);
}

class CascadeMind implements Mind {
  readonly #input: CascadeMindInput;
  readonly #history = new History();
  readonly #tools = new ToolCalls();
  readonly #listening: Listening;
  readonly #voice: Voice;
  readonly #requests: Request[] = [];
  readonly #cutItems = new Set<string>();
  #answer: Answer | null = null;
  #thinking: Thinking | Draft | null = null;
  #draft: Draft | null = null;
  #items = 0;
  #turns = 0;
  #gateOpen = false;
  #voiceReady = false;
  #modelReady = false;
  #closed = false;

  constructor(input: CascadeMindInput) {
    this.#input = input;
    for (const item of input.history ?? []) {
      this.#history.add(item);
      if (item.kind === 'tool_call') this.#tools.called(item.id);
      if (item.kind === 'tool_result') this.#tools.takes(item.id);
    }
    const { clock } = input;
    this.#listening = new Listening({ providers: input.stt, clock, listener: (event) => this.#heard(event) });
    this.#voice = new Voice({ providers: input.tts, clock, listener: (event) => this.#spoken(event) });
    void this.#checkModels();
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (!this.#closed) this.#listening.hear(ulaw, fromMs);
  }

  calleeSpeech({ kind }: { readonly kind: 'began' | 'ended'; readonly atMs: number }): void {
    if (!this.#closed) this.#listening.speech(kind);
  }

  openGate(): void {
    this.#gateOpen = true;
  }

  say(text: string): void {
    this.#request({ kind: 'say', text });
  }

  respond(hint?: string): void {
    this.#request({ kind: 'respond', hint: hint ?? null, toTurn: false });
  }

  cut({ item, playedMs, heardText }: Parameters<Mind['cut']>[0]): void {
    if (this.#closed || this.#cutItems.has(item)) return;
    this.#cutItems.add(item);
    this.#history.cut(item, heardText);
    if (this.#answer?.item === item) this.#cancel(playedMs);
  }

  pressed(digits: string): void {
    if (this.#closed) return;
    this.#history.add({ kind: 'callee', text: `[pressed ${digits}]` });
    this.respond();
  }

  toolResult({ id, output, answer }: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    if (this.#closed || !this.#tools.takes(id)) return;
    this.#history.add({ kind: 'tool_result', id, output });
    if (this.#tools.finished(answer)) this.respond();
  }

  close(): void {
    if (this.#closed) return;
    // What the three still have to report is usage.
    this.#draft?.cancel();
    this.#thinking?.cancel();
    this.#listening.close();
    this.#voice.close();
    this.#closed = true;
  }

  #emit(event: MindEvent): void {
    if (this.#closed) return;
    this.#history.observe(event);
    this.#input.listener(event);
  }

  /** A model that is out of reach shall cost no answered call. */
  async #checkModels(): Promise<void> {
    let failure: ProviderFailure | null = null;
    for (const { check } of this.#input.llm) {
      const late = new AbortController();
      const timer = this.#input.clock.after(CHECK_MS, () => late.abort(new Error('no answer in time')));
      failure = check === undefined ? null : await check(late.signal);
      timer.cancel();
      if (failure === null || this.#closed) break;
    }
    if (this.#closed) return;
    if (failure !== null) return this.#fail(failure);
    this.#modelReady = true;
    this.#ready();
  }

  #ready(): void {
    if (this.#voiceReady && this.#modelReady) this.#emit({ kind: 'ready' });
  }

  #heard(event: ListeningEvent): void {
    switch (event.kind) {
      case 'speaking':
        return this.#emit({ kind: 'callee_speaking', atMs: event.atMs });
      case 'hearing':
        return;
      case 'likely_over':
        return this.#beginDraft(event.text);
      case 'resumed':
        return this.#dropDraft();
      case 'turn':
        return this.#turn(event);
      case 'usage':
      case 'ignored':
      case 'recovered':
        return this.#emit(event);
      case 'failed':
        return this.#fail(event.failure);
      default:
        return unreachable(event);
    }
  }

  #turn({ text, startMs, endMs }: Extract<ListeningEvent, { kind: 'turn' }>): void {
    this.#turns += 1;
    this.#emit({ kind: 'callee_said', turn: `turn_${this.#turns}`, text, startMs, endMs });
    if (!this.#gateOpen || text === null) return this.#dropDraft();
    // What the callee added comes before anything was heard of the answer: one answer to both.
    const answer = this.#answer;
    if (answer?.toTurn === true && !answer.soundBegan) this.#cancel(0);
    const waits = this.#requests.some((request) => request.kind === 'respond' && request.toTurn);
    if (waits) return this.#dropDraft();
    if (this.#draft?.text !== text || this.#answer !== null || this.#requests.length > 0) this.#dropDraft();
    this.#request({ kind: 'respond', hint: null, toTurn: true });
  }

  /** The turn is probably over: the model may begin, unheard. */
  #beginDraft(text: string): void {
    this.#dropDraft();
    if (!this.#gateOpen || this.#answer !== null || this.#requests.length > 0) return;
    const conversation: readonly HistoryItem[] = [...this.#history.items(), { kind: 'callee', text }];
    this.#draft = new Draft(text, (listener) => this.#think(this.#modelRequest(null, conversation), listener));
    this.#draft.usageTo((entries) => this.#emit({ kind: 'usage', entries }));
  }

  #dropDraft(): void {
    this.#draft?.cancel();
    this.#draft = null;
  }

  #request(request: Request): void {
    if (this.#closed) return;
    this.#requests.push(request);
    this.#next();
  }

  #next(): void {
    if (this.#answer !== null) return;
    const request = this.#requests.shift();
    if (request === undefined) return;
    this.#items += 1;
    const item = `item_${this.#items}`;
    const toTurn = request.kind === 'respond' && request.toTurn;
    const answer = new Answer({ item, toTurn, speak: (text) => this.#speak(item, text) });
    this.#answer = answer;
    if (request.kind === 'say') {
      answer.sayExactly(request.text);
      return this.#textOver(answer);
    }
    const listener = (event: ThinkingEvent) => this.#thought(answer, event);
    const draft = this.#draft;
    this.#draft = null;
    if (draft !== null && request.toTurn) {
      this.#thinking = draft;
      return draft.use(listener);
    }
    draft?.cancel();
    this.#thinking = this.#think(this.#modelRequest(request.hint, this.#history.items()), listener);
  }

  #think(request: LanguageModelRequest, listener: (event: ThinkingEvent) => void): Thinking {
    return new Thinking({ models: this.#input.llm, request, clock: this.#input.clock, listener });
  }

  #modelRequest(hint: string | null, conversation: readonly HistoryItem[]): LanguageModelRequest {
    const { instructions, tools } = this.#input;
    return { instructions: hint === null ? instructions : `${instructions}\n\n${hint}`, conversation, tools };
  }

  #thought(answer: Answer, event: ThinkingEvent): void {
    if (event.kind === 'usage' || event.kind === 'recovered') return this.#emit(event);
    if (this.#answer !== answer) return;
    switch (event.kind) {
      case 'text':
        return answer.write(event.text);
      case 'tool_call':
        answer.calledTool();
        this.#tools.called(event.id);
        return this.#emit(event);
      case 'over':
        answer.outcome = event.outcome;
        answer.end();
        return this.#textOver(answer);
      case 'failed':
        return this.#answerFailed(answer, event.failure);
      default:
        return unreachable(event);
    }
  }

  #speak(item: string, text: string): void {
    // The answer's place in the conversation is before the tools that it calls, also if its sound comes after.
    this.#history.observe({ kind: 'words', item, text: '' });
    this.#voice.speak(item, text);
  }

  #textOver(answer: Answer): void {
    this.#thinking = null;
    if (answer.spoke) this.#voice.finish(answer.item);
    else this.#over(answer.outcome);
  }

  #spoken(event: VoiceEvent): void {
    switch (event.kind) {
      case 'ready':
        this.#voiceReady = true;
        return this.#ready();
      case 'sound':
        if (this.#answer?.item === event.item) this.#answer.soundBegan = true;
        return this.#emit(event);
      case 'words':
      case 'usage':
      case 'ignored':
      case 'recovered':
        return this.#emit(event);
      case 'heard':
        return this.#history.cut(event.item, event.text.trim());
      case 'over':
        this.#emit({ kind: 'item_over', item: event.item });
        if (this.#answer?.item === event.item) this.#over(this.#answer.outcome);
        return;
      case 'failed':
        return this.#fail(event.failure);
      default:
        return unreachable(event);
    }
  }

  #cancel(playedMs: number): void {
    const answer = this.#answer;
    if (answer === null) return;
    this.#thinking?.cancel();
    this.#voice.cancel(answer.item, playedMs);
    // Nothing of it was heard: it was never said.
    if (!answer.soundBegan && !this.#cutItems.has(answer.item)) this.#history.forget(answer.item);
    this.#over('cancelled');
  }

  /** What was written until then is still spoken. */
  #answerFailed(answer: Answer, failure: ProviderFailure): void {
    answer.failure = failure;
    answer.end();
    this.#textOver(answer);
  }

  #over(outcome: 'completed' | 'cancelled' | 'incomplete'): void {
    const { empty = true, failure = null } = this.#answer ?? {};
    this.#answer = null;
    this.#thinking = null;
    if (failure === null) this.#emit({ kind: 'answer_over', outcome, empty });
    else this.#emit({ kind: 'answer_failed', failure });
    this.#next();
  }

  #fail(failure: ProviderFailure): void {
    if (this.#closed) return;
    this.#draft?.cancel();
    this.#thinking?.cancel();
    this.#listening.close();
    this.#voice.close();
    this.#emit({ kind: 'failed', failure });
    this.#closed = true;
  }
}
