import { heardWords, type PlacedWords } from './heard-words.ts';

/** 20 ms of µ-law at 8 kHz. */
export const ULAW_FRAME_BYTES = 160;
const ULAW_SILENCE = 0xff;

/** What was played of an item. Times are relative to the answer. */
export interface PlayedItem {
  readonly item: string;
  /** The words that were played: whole ones only. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly playedMs: number;
  readonly interrupted: boolean;
}

interface QueuedItem {
  readonly item: string;
  readonly chunks: Uint8Array[];
  /** Of the first chunk, that were played. */
  chunkPlayedBytes: number;
  readonly words: PlacedWords[];
  receivedBytes: number;
  playedBytes: number;
  /** No more sound follows. */
  complete: boolean;
  startMs: number;
  endMs: number;
}

const BYTES_PER_MS = 8;
const FRAME_MS = 20;
const MAX_WAITING = 32;

/**
 * The answers of a mind, played frame by frame. A provider sends faster than life, so this queue alone knows what the
 * callee has heard. Items play one after the other, in the order in which their first sound arrived.
 */
export class Playout {
  readonly #queue: QueuedItem[] = [];
  readonly #frame = new Uint8Array(ULAW_FRAME_BYTES);
  readonly #cut = new Set<string>();
  readonly #finished: PlayedItem[] = [];
  #paused = false;
  #starvedMs = 0;

  /** Sound or words wait to be played. */
  get busy(): boolean {
    return this.#queue.length > 0;
  }

  /** Words wait to be played, and no sound. */
  get isSoundMissing(): boolean {
    return this.busy && this.#queue.every(({ receivedBytes }) => receivedBytes === 0);
  }

  /** For how long an item has begun and has had no more sound to play. */
  get starvedMs(): number {
    return this.#starvedMs;
  }

  /** Its sound waits for something else, such as a tool. */
  forgiveSilence(): void {
    this.#starvedMs = 0;
  }

  /** Milliseconds of sound that wait. */
  get queuedMs(): number {
    return this.#queue.reduce((ms, item) => ms + (item.receivedBytes - item.playedBytes) / BYTES_PER_MS, 0);
  }

  /** Items that were not played to their end, in order. */
  get items(): readonly string[] {
    return this.#queue.map(({ item }) => item);
  }

  addSound(item: string, ulaw: Uint8Array): void {
    if (!this.#takes(item) || ulaw.length === 0) return;
    const queued = this.#itemOf(item);
    queued.chunks.push(ulaw);
    queued.receivedBytes += ulaw.length;
  }

  addWords(item: string, words: PlacedWords): void {
    if (this.#takes(item)) this.#itemOf(item).words.push(words);
  }

  itemOver(item: string): void {
    const queued = this.#queue.find((candidate) => candidate.item === item);
    if (queued !== undefined) queued.complete = true;
  }

  /** The words of an item of which nothing was played; null for any other. */
  unplayedText(item: string): string | null {
    const queued = this.#queue.find((candidate) => candidate.item === item);
    return queued === undefined || queued.playedBytes > 0 ? null : textOf(queued);
  }

  /** Drops one item, and what follows of it. */
  discard(item: string): void {
    this.#cut.add(item);
    const index = this.#queue.findIndex((candidate) => candidate.item === item);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  /** No more sound follows for any item. */
  allOver(): void {
    for (const queued of this.#queue) queued.complete = true;
  }

  /** Keeps the queue, and plays silence. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** The frame for the 20 ms before `nowMs`, valid until the next one; undefined for silence. */
  pull(nowMs: number): Uint8Array | undefined {
    this.#takePlayed();
    const current = this.#queue[0];
    const isStarved =
      current !== undefined && !current.complete && current.receivedBytes - current.playedBytes < ULAW_FRAME_BYTES;
    this.#starvedMs = isStarved ? this.#starvedMs + FRAME_MS : 0;
    if (this.#paused || current === undefined) return undefined;
    const available = current.receivedBytes - current.playedBytes;
    // A part of a frame is played only at the end of the item: more of it may be on its way.
    if (available < ULAW_FRAME_BYTES && !(current.complete && available > 0)) return undefined;
    if (current.playedBytes === 0) current.startMs = Math.max(0, nowMs - FRAME_MS);
    current.endMs = nowMs;
    takeFrame(current, this.#frame);
    return this.#frame;
  }

  /** Drops everything that was not played. Returns what was played of the current item; null if nothing was. */
  cut(): PlayedItem | null {
    this.#takePlayed();
    this.#paused = false;
    const [current] = this.#queue;
    for (const { item } of this.#queue) this.#cut.add(item);
    this.#queue.length = 0;
    return current === undefined || current.playedBytes === 0 ? null : playedOf(current, true);
  }

  /** An item that was played to its end since the last call; undefined if there is none. */
  takeFinished(): PlayedItem | undefined {
    this.#takePlayed();
    return this.#finished.shift();
  }

  #takePlayed(): void {
    for (let item = this.#queue[0]; item !== undefined && isPlayed(item); item = this.#queue[0]) {
      this.#queue.shift();
      // Items of tools and silent answers have no sound, and are no turns.
      if (item.playedBytes > 0) this.#finished.push(playedOf(item, false));
    }
  }

  /** Not what was cut, and no more answers than anybody waits for: a provider may send them without end. */
  #takes(item: string): boolean {
    if (this.#cut.has(item)) return false;
    return this.#queue.length < MAX_WAITING || this.items.includes(item);
  }

  #itemOf(item: string): QueuedItem {
    const known = this.#queue.find((candidate) => candidate.item === item);
    if (known !== undefined) return known;
    const queued: QueuedItem = {
      item,
      chunks: [],
      chunkPlayedBytes: 0,
      words: [],
      receivedBytes: 0,
      playedBytes: 0,
      complete: false,
      startMs: 0,
      endMs: 0,
    };
    this.#queue.push(queued);
    return queued;
  }
}

const isPlayed = (item: QueuedItem): boolean => item.complete && item.playedBytes >= item.receivedBytes;

/** Fills `frame`, the end of it with silence if the item ends within it. */
function takeFrame(item: QueuedItem, frame: Uint8Array): void {
  let filled = 0;
  for (let chunk = item.chunks[0]; chunk !== undefined && filled < ULAW_FRAME_BYTES; chunk = item.chunks[0]) {
    const from = item.chunkPlayedBytes;
    const taken = Math.min(chunk.length - from, ULAW_FRAME_BYTES - filled);
    // By index: a view of each frame would have to be collected.
    for (let at = 0; at < taken; at += 1) frame[filled + at] = chunk[from + at] ?? ULAW_SILENCE;
    filled += taken;
    const isPlayed = from + taken === chunk.length;
    if (isPlayed) item.chunks.shift();
    item.chunkPlayedBytes = isPlayed ? 0 : from + taken;
  }
  frame.fill(ULAW_SILENCE, filled);
  item.playedBytes += filled;
}

const textOf = ({ words }: QueuedItem): string => words.map(({ text }) => text).join('');

function playedOf(item: QueuedItem, interrupted: boolean): PlayedItem {
  const playedMs = item.playedBytes / BYTES_PER_MS;
  const text = interrupted ? heardWords(item.words, playedMs, item.receivedBytes / BYTES_PER_MS) : textOf(item);
  return { item: item.item, text: text.trim(), startMs: item.startMs, endMs: item.endMs, playedMs, interrupted };
}
