import { BYTES_PER_MS } from '../sound/ulaw.ts';
import type { SpokenWords } from './tts/text-to-speech.ts';

export interface ToldWords {
  readonly text: string;
  /** In the sound of the item; only from providers that report times. */
  readonly place?: { readonly startMs: number; readonly endMs: number };
}

/** Of speech, where a provider reports no times: about fifteen characters a second. */
const MS_PER_CHARACTER = 65;

/**
 * The text and sound of one item, over all connections that speak it. A word is emitted once its sound is here, so that
 * what was emitted is exactly what need not be spoken again.
 */
export class Utterance {
  readonly item: string;
  finished = false;
  #connections = 1;
  /** What this connection speaks, and how much of it was emitted. */
  #text = '';
  #toldCharacters = 0;
  #waiting: SpokenWords[] = [];
  #timesAreTold = false;
  /** Sound of earlier connections, and of this one. */
  #earlierMs = 0;
  #receivedBytes = 0;
  #soundSinceText = false;

  constructor(item: string) {
    this.item = item;
  }

  /** The provider's name for it. */
  get name(): string {
    return this.#connections === 1 ? this.item : `${this.item}_${this.#connections}`;
  }

  /** Sound came after the last text. */
  get soundIsHere(): boolean {
    return this.#soundSinceText;
  }

  add(text: string): void {
    this.#text += text;
    this.#soundSinceText = false;
  }

  /** A moment of the item, in the sound of this connection. */
  ownMs(itemMs: number): number {
    return Math.max(0, itemMs - this.#earlierMs);
  }

  /** Sound arrived. Returns the words that it completes; `tellsTimes`: those come with their places alone. */
  received(bytes: number, tellsTimes: boolean): readonly ToldWords[] {
    this.#receivedBytes += bytes;
    this.#soundSinceText = true;
    if (tellsTimes) return this.#complete();
    const spoken = Math.floor(this.#receivedMs / MS_PER_CHARACTER);
    const end = this.#text.lastIndexOf(' ', spoken) + 1;
    return this.#tellUntil(end);
  }

  /** The provider reported where words are. Returns those whose sound is here. */
  placed(words: readonly SpokenWords[]): readonly ToldWords[] {
    this.#timesAreTold = true;
    this.#waiting.push(...words);
    return this.#complete();
  }

  /** The sound is complete: the words that were not emitted. */
  rest(): readonly ToldWords[] {
    if (!this.#timesAreTold) return this.#tellUntil(this.#text.length);
    return this.#waiting.splice(0).map((words) => this.#tell(words));
  }

  /** The connection was lost. Returns the text that another one must speak; empty if all of it was spoken. */
  goOn(): string {
    const rest = this.#text.slice(this.#toldCharacters).trimStart();
    this.#connections += 1;
    this.#earlierMs += this.#receivedMs;
    this.#receivedBytes = 0;
    this.#waiting = [];
    this.#timesAreTold = false;
    this.#text = rest;
    this.#toldCharacters = 0;
    this.#soundSinceText = false;
    return rest;
  }

  get #receivedMs(): number {
    return this.#receivedBytes / BYTES_PER_MS;
  }

  #complete(): readonly ToldWords[] {
    const complete: ToldWords[] = [];
    for (let next = this.#waiting[0]; next !== undefined && next.endMs <= this.#receivedMs; next = this.#waiting[0]) {
      this.#waiting.shift();
      complete.push(this.#tell(next));
    }
    return complete;
  }

  #tell({ text, startMs, endMs }: SpokenWords): ToldWords {
    const word = text.trim();
    // Some providers write a word in their own way; its length is then as good.
    const found = this.#text.indexOf(word, this.#toldCharacters);
    const start = found < 0 ? this.#toldCharacters : found;
    this.#toldCharacters = Math.min(this.#text.length, start + word.length);
    return { text, place: { startMs: startMs + this.#earlierMs, endMs: endMs + this.#earlierMs } };
  }

  #tellUntil(end: number): readonly ToldWords[] {
    if (end <= this.#toldCharacters) return [];
    const text = this.#text.slice(this.#toldCharacters, end);
    this.#toldCharacters = end;
    return [{ text }];
  }
}
