import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import { HeldBackSound } from '../sound/held-back-sound.ts';
import { BYTES_PER_MS } from '../sound/ulaw.ts';
import type { CalleeSpeech, ProviderFailure, UsageEntry } from '../mind.ts';
import { Deafness } from './deafness.ts';
import { SpeechMarks } from './speech-marks.ts';
import type { OpenSpeechToText, SpeechToText, SpeechToTextEvent } from './stt/speech-to-text.ts';
import { Succession } from './succession.ts';

export interface ListeningInput {
  /** The first choice and its fallbacks. */
  readonly providers: readonly OpenSpeechToText[];
  readonly clock: Clock;
  readonly listener: (event: ListeningEvent) => void;
}

export type ListeningEvent =
  | Exclude<SpeechToTextEvent, { kind: 'ready' | 'failed' | 'usage' }>
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  | { readonly kind: 'recovered'; readonly failure: ProviderFailure; readonly afterMs: number }
  /** No provider is left. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

/**
 * Hears the callee, whichever provider does. It connects with the first sound, since these providers bill by time. What a
 * lost one may not have understood, the next one hears again. By then the callee listens to the first message, so a
 * connection that fails is tried once more.
 */
export class Listening {
  readonly #input: ListeningInput;
  readonly #succession: Succession;
  readonly #notUnderstood = new HeldBackSound();
  readonly #marks = new SpeechMarks();
  readonly #deafness: Deafness;
  #provider: SpeechToText | null = null;
  #connection = 0;
  #ready = false;
  #retry: Timer | null = null;
  #lost: { readonly failure: ProviderFailure; readonly atMs: number } | null = null;
  /** A turn has begun and has no words yet. */
  #speaking = false;
  #turnEnded: (() => void) | undefined;
  #over = false;

  constructor(input: ListeningInput) {
    this.#input = input;
    this.#succession = new Succession({ count: input.providers.length, retriesConnecting: true });
    this.#deafness = new Deafness(input.clock, () => this.#deaf());
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#over) return;
    this.#notUnderstood.add({ ulaw, fromMs });
    this.#marks.heard(fromMs + ulaw.length / BYTES_PER_MS);
    if (this.#provider !== null) return this.#provider.hear(ulaw, fromMs);
    if (this.#retry === null) this.#open(this.#succession.index);
  }

  /** What the ear hears, with which a deaf provider is found. */
  speech(speech: CalleeSpeech): void {
    if (this.#over) return;
    if (speech.kind === 'began' || speech.kind === 'ended') this.#deafness.speech(speech.kind);
    this.#marks.add(speech);
    this.#provider?.speech?.(speech);
  }

  /** The call is over. Resolves once the callee's last turn was understood. */
  endTurn(): Promise<void> {
    const isUnderWay = this.#speaking || this.#provider?.hasTurn === true;
    if (this.#over || !isUnderWay) return Promise.resolve();
    this.#provider?.endTurn();
    return new Promise((resolve) => {
      this.#turnEnded = resolve;
    });
  }

  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#turnEnded?.();
    this.#retry?.cancel();
    this.#deafness.stop();
    this.#provider?.close();
  }

  #open(index: number): void {
    const open = this.#input.providers[index];
    if (open === undefined) return;
    this.#connection += 1;
    const connection = this.#connection;
    this.#ready = false;
    this.#deafness.understood();
    const provider = open((event) => {
      // Usage of a connection that was given up is still to be paid.
      if (connection === this.#connection || event.kind === 'usage') this.#receive(event);
    });
    this.#provider = provider;
    this.#repeat(provider);
  }

  /** The sound that was not understood, with what the ear said about it in its time. */
  #repeat(provider: SpeechToText): void {
    const marks = [...this.#marks.peek()];
    for (const { ulaw, fromMs } of this.#notUnderstood.peek()) {
      for (let next = marks[0]; next !== undefined && next.heardMs <= fromMs; next = marks[0]) {
        marks.shift();
        provider.speech?.(next.speech);
      }
      provider.hear(ulaw, fromMs);
    }
    for (const { speech } of marks) provider.speech?.(speech);
  }

  #receive(event: SpeechToTextEvent): void {
    switch (event.kind) {
      case 'ready':
        return this.#isReady();
      case 'failed':
        return this.#failed(event.failure);
      case 'turn':
        this.#notUnderstood.dropUntil(event.endMs);
        this.#marks.dropUntil(event.endMs);
        this.#deafness.understood();
        this.#speaking = false;
        this.#input.listener(event);
        return this.#turnEnded?.();
      case 'speaking':
        this.#speaking = true;
        this.#deafness.understood();
        return this.#input.listener(event);
      case 'hearing':
      case 'likely_over':
      case 'resumed':
        this.#deafness.understood();
        return this.#input.listener(event);
      case 'usage':
      case 'ignored':
        return this.#input.listener(event);
      default:
        return unreachable(event);
    }
  }

  #isReady(): void {
    this.#ready = true;
    if (this.#turnEnded !== undefined) this.#provider?.endTurn();
    if (this.#lost === null) return;
    const { failure, atMs } = this.#lost;
    this.#lost = null;
    this.#input.listener({ kind: 'recovered', failure, afterMs: this.#input.clock.monotonicMs() - atMs });
  }

  #deaf(): void {
    const deaf = this.#provider;
    if (deaf === null) return;
    // Its events no longer count, but for its usage.
    this.#connection += 1;
    deaf.close();
    const message = 'the provider understood nothing while the callee spoke';
    this.#failed({ component: 'stt', kind: 'stalled', message, retryAfterMs: null });
  }

  #failed(failure: ProviderFailure): void {
    if (this.#over) return;
    const next = this.#succession.after(failure, this.#ready, this.#provider?.prefersFallback);
    this.#provider = null;
    this.#lost ??= { failure, atMs: this.#input.clock.monotonicMs() };
    if (next === null) {
      this.close();
      return this.#input.listener({ kind: 'failed', failure });
    }
    if (next.delayMs === 0) return this.#open(next.index);
    this.#retry = this.#input.clock.after(next.delayMs, () => {
      this.#retry = null;
      this.#open(next.index);
    });
  }
}
