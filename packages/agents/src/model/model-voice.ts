import { FRAME_SAMPLES, type Frame, type VoiceAgentEvent } from '@outdial/calls';
import { createLinePlayer } from '../scripted/line-player.ts';
import type { ScriptLine } from '../scripted/script-line.ts';
import type { ConversationRecord } from '../transcript/conversation-record.ts';
import { AskedItems, isWhole, type AskedItem } from './asked-items.ts';
import type { ToMind } from './bridge.ts';
import type { PlacedWords } from './heard-words.ts';
import { Playout, type PlayedItem } from './playout.ts';
import { saidAsAsked } from './said-as-asked.ts';
import { decodeUlawFrame } from './ulaw.ts';

/** A sound below this level, of 32,767, is between words. */
const QUIET = 500;

const NOTHING: readonly Spoken[] = [];

export interface ModelVoiceOptions {
  readonly record: ConversationRecord;
  readonly send: (message: ToMind) => void;
  readonly emit: (event: VoiceAgentEvent) => void;
}

export interface Spoken extends AskedItem, Pick<PlayedItem, 'item' | 'endMs' | 'startMs' | 'interrupted'> {
  readonly words: string;
}

/** What the agent says: answers of the mind, and lines of the built-in voice. Records what was played. */
export class ModelVoice {
  readonly #options: ModelVoiceOptions;
  readonly #playout = new Playout();
  readonly #asked = new AskedItems();
  readonly #builtIn = createLinePlayer();
  /** Of every tick: 50 new arrays a second for each call would have to be collected. */
  readonly #frame: Frame = new Int16Array(FRAME_SAMPLES);
  #isFiller = false;
  #paused: { readonly sinceMs: number } | null = null;
  #firstWordMs: number | undefined;
  #answers = 0;
  /** A text that a model may say in other words, until it was said. */
  #toCheck: { readonly asked: AskedItem; readonly item: string } | null = null;
  #askedAgain = false;

  constructor(options: ModelVoiceOptions) {
    this.#options = options;
  }

  get firstWordMs(): number | undefined {
    return this.#firstWordMs;
  }

  /** An answer is played, waits, or is on its way. */
  get playing(): boolean {
    return this.#playout.busy;
  }

  /** Words of an answer have come, and no sound. */
  get isSoundMissing(): boolean {
    return this.#playout.isSoundMissing;
  }

  /** For how long an item has begun and has had no more sound to play. */
  get starvedMs(): number {
    return this.#playout.starvedMs;
  }

  /** The mind waits for a tool, and may be silent. */
  forgiveSilence(): void {
    this.#playout.forgiveSilence();
  }

  /** Since when answers are paused; null while not. */
  get paused(): { readonly sinceMs: number } | null {
    return this.#paused;
  }

  /** How many answers the callee has heard, in part or whole. */
  get answers(): number {
    return this.#answers;
  }

  /** Asks the mind for an item. */
  ask(item: AskedItem, hint: string | null = null): void {
    this.#asked.ask(item);
    const how = isWhole(item) ? { isWhole: true as const } : {};
    this.#options.send(
      item.text === null ? { kind: 'respond', hint, ...how } : { kind: 'say', text: item.text, ...how },
    );
  }

  /** False: the item is not wanted, and the mind has learned it. */
  sound(item: string, ulaw: Uint8Array, mindMayBegin: boolean): boolean {
    if (!this.#wants(item, null, mindMayBegin)) return false;
    this.#playout.addSound(item, ulaw);
    return true;
  }

  words(item: string, words: PlacedWords, mindMayBegin: boolean): void {
    if (this.#wants(item, words.text, mindMayBegin)) this.#playout.addWords(item, words);
  }

  itemOver(item: string): void {
    this.#playout.itemOver(item);
  }

  /** An answer is complete, with all of its items. */
  answerOver(): void {
    this.#asked.answerOver();
  }

  /** The mind is gone: what has arrived is all there is. */
  allOver(): void {
    this.#asked.dropPending();
    this.#playout.allOver();
  }

  /**
   * An answer is complete. A model that was to say the opening word for word and said something else is asked once more,
   * unless its sound is already played; the second try is taken as it is. True: it was asked.
   */
  askOpeningAgain(): boolean {
    const check = this.#toCheck;
    this.#toCheck = null;
    const said = check && this.#playout.unplayedText(check.item);
    if (check === null || said === null || this.#askedAgain || saidAsAsked(said, check.asked.text ?? said))
      return false;
    this.#askedAgain = true;
    this.#playout.discard(check.item);
    this.#options.send({ kind: 'cut', item: check.item, playedMs: 0, heardText: '' });
    this.ask(check.asked);
    return true;
  }

  pause(nowMs: number): void {
    this.#paused = { sinceMs: nowMs };
    this.#playout.pause();
  }

  resume(): void {
    this.#paused = null;
    this.#playout.resume();
  }

  /** Begins a line of the built-in voice. A filler is a waiting phrase: an answer ends it. */
  sayBuiltIn(line: ScriptLine, { isFiller = false } = {}): void {
    this.#stopBuiltIn();
    this.#isFiller = isFiller;
    void line.prepare();
    this.#builtIn.say(line);
  }

  /** The built-in voice has something to say; `failed`: it cannot say it. */
  builtInState(): 'idle' | 'speaking' | 'failed' {
    const line = this.#builtIn.line();
    if (line === undefined) return 'idle';
    return line.speech().state === 'failed' ? 'failed' : 'speaking';
  }

  speak(nowMs: number, held: boolean): Frame | undefined {
    const frame = this.#next(nowMs, held);
    if (frame !== undefined) this.#firstWordMs ??= nowMs;
    return frame;
  }

  /** What was played to its end since the last call. */
  follow(): readonly Spoken[] {
    const line = this.#builtIn.takeFinished();
    if (line !== undefined) this.#options.record.agentSpoke({ ...line, interrupted: false, source: 'script' });
    let item = this.#playout.takeFinished();
    if (item === undefined) return NOTHING;
    const spoken: Spoken[] = [];
    for (; item !== undefined; item = this.#playout.takeFinished()) spoken.push(this.#note(item));
    return spoken;
  }

  /** Drops what was not played, and what was asked for and has not come. The mind forgets it. */
  cut(): Spoken | null {
    this.#paused = null;
    this.#asked.dropPending();
    this.#stopBuiltIn();
    const { items } = this.#playout;
    const played = this.#playout.cut();
    for (const item of items) {
      const heard = item === played?.item ? played : { playedMs: 0, text: '' };
      this.#options.send({ kind: 'cut', item, playedMs: heard.playedMs, heardText: heard.text });
    }
    if (items.length > 0) this.#options.emit({ kind: 'interrupted', atMs: played?.endMs ?? 0 });
    return played === null ? null : this.#note(played);
  }

  #wants(item: string, words: string | null, mindMayBegin: boolean): boolean {
    const asked = this.#asked.meet(item, words, mindMayBegin);
    if (asked?.purpose === 'opening' && asked.text !== null) this.#toCheck = { asked, item };
    if (asked !== null) return true;
    this.#options.send({ kind: 'cut', item, playedMs: 0, heardText: '' });
    return false;
  }

  #next(nowMs: number, held: boolean): Frame | undefined {
    if (this.#builtIn.line() !== undefined) {
      const frame = this.#builtIn.pull(nowMs);
      const answerWaits = this.#isFiller && !held && this.#playout.queuedMs > 0;
      if (!answerWaits) return frame;
      // The answer begins where a word of the filler ends.
      if (frame !== undefined && !isQuiet(frame)) return frame;
      this.#stopBuiltIn();
    }
    if (held) return undefined;
    const codes = this.#playout.pull(nowMs);
    return codes && decodeUlawFrame(codes, this.#frame);
  }

  #stopBuiltIn(): void {
    const spoken = this.#builtIn.stop();
    if (spoken === undefined) return;
    const { text, startMs, endMs, playedShare } = spoken;
    this.#options.record.agentSpoke({ text, startMs, endMs, interrupted: playedShare < 1, source: 'script' });
  }

  #note(played: PlayedItem): Spoken {
    const { item, startMs, endMs, interrupted } = played;
    const asked = this.#asked.purposeOf(played.item);
    if (asked.purpose === 'answer') this.#answers += 1;
    const source = asked.text === null ? 'model' : 'script';
    this.#options.record.agentSpoke({ text: played.text, startMs, endMs, interrupted, source });
    return { ...asked, item, words: played.text, startMs, endMs, interrupted };
  }
}

const isQuiet = (frame: Frame): boolean => frame.every((sample) => Math.abs(sample) < QUIET);
