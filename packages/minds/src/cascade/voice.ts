import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import type { ProviderFailure, UsageEntry } from '../mind.ts';
import { Succession } from './succession.ts';
import type { OpenTextToSpeech, TextToSpeech, TextToSpeechEvent } from './tts/text-to-speech.ts';
import { Utterance, type ToldWords } from './utterance.ts';

export type VoiceEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sound'; readonly item: string; readonly ulaw: Uint8Array }
  | {
      readonly kind: 'words';
      readonly item: string;
      readonly text: string;
      readonly place?: { readonly startMs: number; readonly endMs: number };
    }
  | { readonly kind: 'over'; readonly item: string }
  /** The provider's own word for what was heard of a cut item. */
  | { readonly kind: 'heard'; readonly item: string; readonly text: string }
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  | { readonly kind: 'ignored'; readonly message: string }
  | { readonly kind: 'recovered'; readonly failure: ProviderFailure; readonly afterMs: number }
  /** No provider is left. The last event. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

export interface VoiceInput {
  /** The first choice and its fallbacks. */
  readonly providers: readonly OpenTextToSpeech[];
  readonly clock: Clock;
  readonly listener: (event: VoiceEvent) => void;
}

/** Text was sent, and no sound came for as long. */
const SILENT_MS = 4_000;

/**
 * Speaks one item at a time, whichever provider does. If one fails in a sentence, the next says the rest: what follows the
 * last word whose sound is here. All of that will be played.
 */
export class Voice {
  readonly #input: VoiceInput;
  readonly #succession: Succession;
  #provider: TextToSpeech | null = null;
  #connection = 0;
  #ready = false;
  #wasReady = false;
  #utterance: Utterance | null = null;
  /** Of items that were cut, by the provider's name for them. */
  readonly #cut = new Map<string, string>();
  #silent: Timer | null = null;
  #retry: Timer | null = null;
  #lost: { readonly failure: ProviderFailure; readonly atMs: number } | null = null;
  #over = false;

  constructor(input: VoiceInput) {
    this.#input = input;
    this.#succession = new Succession({ count: input.providers.length, prefersFallback: true });
    this.#open(0);
  }

  speak(item: string, text: string): void {
    if (this.#over) return;
    this.#utterance ??= new Utterance(item);
    this.#utterance.add(text);
    this.#connect()?.speak(this.#utterance.name, text);
    this.#watch();
  }

  /** No more text of the item follows. */
  finish(item: string): void {
    if (this.#over || this.#utterance?.item !== item) return;
    this.#utterance.finished = true;
    this.#connect()?.finish(this.#utterance.name);
    this.#watch();
  }

  cancel(item: string, playedMs: number): void {
    const utterance = this.#utterance;
    if (utterance?.item !== item) return;
    this.#utterance = null;
    this.#silent?.cancel();
    this.#cut.set(utterance.name, item);
    this.#provider?.cancel(utterance.name, utterance.ownMs(playedMs));
  }

  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#silent?.cancel();
    this.#retry?.cancel();
    this.#provider?.close();
  }

  /** A provider that went away between two items is connected when it is needed. Null: it comes after a wait. */
  #connect(): TextToSpeech | null {
    if (this.#provider === null && this.#retry === null) this.#open(this.#succession.index);
    return this.#provider;
  }

  #open(index: number): void {
    const open = this.#input.providers[index];
    if (open === undefined) return;
    this.#connection += 1;
    const connection = this.#connection;
    this.#ready = false;
    this.#provider = open((event) => {
      // Usage of a connection that was given up is still to be paid.
      if (connection === this.#connection || event.kind === 'usage') this.#receive(event);
    });
  }

  #receive(event: TextToSpeechEvent): void {
    const { listener } = this.#input;
    switch (event.kind) {
      case 'ready':
        return this.#isReady();
      case 'usage':
      case 'ignored':
        return listener(event);
      case 'failed':
        return this.#failed(event.failure);
      case 'heard': {
        const item = this.#cut.get(event.utterance);
        return item === undefined ? undefined : listener({ kind: 'heard', item, text: event.text });
      }
      case 'sound':
      case 'words':
      case 'over':
        if (event.utterance === this.#utterance?.name) this.#spoken(this.#utterance, event);
        return;
      default:
        return unreachable(event);
    }
  }

  #spoken(utterance: Utterance, event: Extract<TextToSpeechEvent, { kind: 'sound' | 'words' | 'over' }>): void {
    const { listener } = this.#input;
    const { item } = utterance;
    switch (event.kind) {
      case 'sound':
        listener({ kind: 'sound', item, ulaw: event.ulaw });
        this.#tell(item, utterance.received(event.ulaw.length, this.#provider?.tellsTimes === true));
        return this.#watch();
      case 'words':
        return this.#tell(item, utterance.placed(event.words));
      case 'over':
        this.#silent?.cancel();
        this.#utterance = null;
        this.#tell(item, utterance.rest());
        return listener({ kind: 'over', item });
      default:
        return unreachable(event);
    }
  }

  #tell(item: string, words: readonly ToldWords[]): void {
    for (const told of words) this.#input.listener({ kind: 'words', item, ...told });
  }

  #isReady(): void {
    const { listener, clock } = this.#input;
    this.#ready = true;
    this.#watch();
    if (this.#lost !== null) {
      const { failure, atMs } = this.#lost;
      this.#lost = null;
      listener({ kind: 'recovered', failure, afterMs: clock.monotonicMs() - atMs });
    }
    if (this.#wasReady) return;
    this.#wasReady = true;
    listener({ kind: 'ready' });
  }

  #watch(): void {
    this.#silent?.cancel();
    const utterance = this.#utterance;
    // While text is still written, silence is the model's; once it is complete, sound must come until the end.
    if (utterance === null || (utterance.soundIsHere && !utterance.finished)) return;
    // How long a connection may take is for its own limit.
    if (!this.#ready) return;
    this.#silent = this.#input.clock.after(SILENT_MS, () => {
      const silent = this.#provider;
      this.#connection += 1;
      silent?.close();
      this.#failed({ component: 'tts', kind: 'stalled', message: 'no sound came of the text', retryAfterMs: null });
    });
  }

  #failed(failure: ProviderFailure): void {
    if (this.#over) return;
    this.#provider = null;
    this.#silent?.cancel();
    const working = this.#utterance !== null || !this.#wasReady;
    // Nothing is lost between two items: providers close sockets that are idle.
    if (!working && this.#ready && failure.kind === 'dropped') return;
    this.#lost ??= { failure, atMs: this.#input.clock.monotonicMs() };
    const next = this.#succession.after(failure, this.#ready);
    if (next === null) {
      this.close();
      return this.#input.listener({ kind: 'failed', failure });
    }
    if (next.delayMs === 0) return this.#resume(next.index);
    this.#retry = this.#input.clock.after(next.delayMs, () => {
      this.#retry = null;
      this.#resume(next.index);
    });
  }

  /** Another connection says what is left of the item. */
  #resume(index: number): void {
    this.#open(index);
    const utterance = this.#utterance;
    if (utterance === null) return;
    const rest = utterance.goOn();
    if (rest !== '') {
      this.#provider?.speak(utterance.name, rest);
      if (utterance.finished) this.#provider?.finish(utterance.name);
      return this.#watch();
    }
    if (!utterance.finished) return;
    this.#utterance = null;
    this.#input.listener({ kind: 'over', item: utterance.item });
  }
}
