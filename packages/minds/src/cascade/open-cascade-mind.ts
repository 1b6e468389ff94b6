import { unreachable, type Clock } from '@outdial/kernel';
import { History } from '../history.ts';
import type { CalleeSpeech, HistoryItem, Mind, MindEvent, ProviderFailure } from '../mind.ts';
import { fixedReadyLimit, type CallReadyLimit } from '../ready-limit.ts';
import { BYTES_PER_MS } from '../sound/ulaw.ts';
import { ToolCalls } from '../tool-calls.ts';
import type { Tool } from '../tool.ts';
import { Answering } from './answering.ts';
import { checkModels } from './check-models.ts';
import type { LanguageModel } from './llm/language-model.ts';
import { Listening, type ListeningEvent } from './listening.ts';
import type { OpenSpeechToText } from './stt/speech-to-text.ts';
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
  /** Of what no fallback replaces. It learns when the call is answered: then sound comes. Default: 3 s from here. */
  readonly readyLimit?: CallReadyLimit;
  /** What was said before. */
  readonly history?: readonly HistoryItem[];
}

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
  readonly #toolCalls = new ToolCalls();
  readonly #listening: Listening;
  readonly #voice: Voice;
  readonly #answering: Answering;
  #turns = 0;
  /** What was heard of the call by now. */
  #heardMs = 0;
  #gateOpen = false;
  /** The agent's first words wait for the gate. */
  #opens = false;
  /** Turns that ended by then are answered by the first words, even if they are understood later. */
  #openedAtMs = 0;
  #voiceReady = false;
  #modelReady = false;
  #closed = false;

  constructor(input: CascadeMindInput) {
    this.#input = input;
    const { instructions, tools, clock } = input;
    const history = this.#history;
    const toolCalls = this.#toolCalls;
    for (const item of input.history ?? []) {
      history.add(item);
      if (item.kind === 'tool_call') toolCalls.called(item.id);
      if (item.kind === 'tool_result') toolCalls.takes(item.id);
    }
    this.#listening = new Listening({ providers: input.stt, clock, listener: (event) => this.#heard(event) });
    const voice = new Voice({ providers: input.tts, clock, listener: (event) => this.#spoken(event) });
    const emit = (event: MindEvent) => this.#emit(event);
    this.#voice = voice;
    this.#answering = new Answering({ instructions, tools, models: input.llm, clock, history, toolCalls, voice, emit });
    void this.#checkModels();
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    this.#input.readyLimit?.answered();
    this.#heardMs = fromMs + ulaw.length / BYTES_PER_MS;
    this.#listening.hear(ulaw, fromMs);
  }

  calleeSpeech(speech: CalleeSpeech): void {
    if (!this.#closed) this.#listening.speech(speech);
  }

  openGate(): void {
    this.#gateOpen = true;
    if (this.#opens) this.#openedAtMs = this.#heardMs;
  }

  say(text: string): void {
    if (this.#closed) return;
    this.#opens ||= !this.#gateOpen;
    this.#answering.request({ kind: 'say', text });
  }

  respond(hint?: string): void {
    if (this.#closed) return;
    this.#opens ||= !this.#gateOpen;
    this.#answering.request({ kind: 'respond', hint: hint ?? null, toTurn: false });
  }

  instruct(text: string): void {
    if (this.#closed) return;
    this.#history.add({ kind: 'instruction', text });
    this.#answering.dropDraft();
  }

  cut(cut: Parameters<Mind['cut']>[0]): void {
    if (this.#closed) return;
    if (!this.#gateOpen) this.#opens = false;
    this.#answering.cut(cut);
  }

  pressed(digits: string): void {
    if (this.#closed) return;
    this.#history.add({ kind: 'callee', text: `[pressed ${digits}]` });
    this.respond();
  }

  toolResult({ id, output, answer }: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    if (this.#closed || !this.#toolCalls.takes(id)) return;
    this.#history.add({ kind: 'tool_result', id, output });
    if (this.#toolCalls.finished(answer)) this.respond();
  }

  async callOver(): Promise<void> {
    if (this.#closed) return;
    this.#gateOpen = false;
    this.#answering.stop();
    await this.#listening.endTurn();
  }

  close(): void {
    if (this.#closed) return;
    // What the three still have to report is usage.
    this.#stop();
    this.#closed = true;
  }

  #emit(event: MindEvent): void {
    if (this.#closed) return;
    this.#history.observe(event);
    this.#input.listener(event);
  }

  async #checkModels(): Promise<void> {
    const { llm, clock, readyLimit } = this.#input;
    const lastLimit = readyLimit ?? fixedReadyLimit(clock);
    const failure = await checkModels(llm, { clock, lastLimit, isUnwanted: () => this.#closed });
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
        if (this.#gateOpen) this.#answering.beginDraft(event.text);
        return;
      case 'resumed':
        return this.#answering.dropDraft();
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
    if (!this.#gateOpen || text === null || endMs <= this.#openedAtMs) return this.#answering.dropDraft();
    this.#answering.answerTurn(text, Math.max(0, this.#heardMs - endMs));
  }

  #spoken(event: VoiceEvent): void {
    switch (event.kind) {
      case 'ready':
        this.#voiceReady = true;
        return this.#ready();
      case 'sound':
        this.#answering.soundBegan(event.item);
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
        return this.#answering.soundOver(event.item);
      case 'failed':
        return this.#fail(event.failure);
      default:
        return unreachable(event);
    }
  }

  #fail(failure: ProviderFailure): void {
    if (this.#closed) return;
    this.#stop();
    this.#emit({ kind: 'failed', failure });
    this.#closed = true;
  }

  #stop(): void {
    this.#answering.stop();
    this.#listening.close();
    this.#voice.close();
  }
}
