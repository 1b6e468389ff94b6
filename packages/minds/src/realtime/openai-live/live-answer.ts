import type { MindEvent } from '../../mind.ts';
import { BYTES_PER_MS } from '../../sound/ulaw.ts';
import type { FunctionCall } from './delegations.ts';

/** The sound comes at the speed of life: so much of it is kept before the first is played, since the rest may be late. */
const CUSHION_MS = 300;
const PAUSE_MS = 700;
/** So that the next answer is no part of it. */
const DROPPED_PAUSE_MS = 300;
const CONTINUED_PAUSE_MS = 100;

/** Parts of an answer, for those who listen. */
export type AnswerEvent = Extract<MindEvent, { kind: 'sound' | 'words' | 'item_over' }>;

/** One answer of the model, while it comes. */
export class LiveAnswer {
  /** Its item. */
  readonly name: string;
  /** By us: the model did not begin it by itself. */
  readonly isAsked: boolean;
  /** The callee hears it to its end, also while they speak. */
  readonly isWhole: boolean;
  readonly #emit: (event: AnswerEvent) => void;
  /** Null: the callee hears it. */
  #held: AnswerEvent[] | null;
  /** Null: its sound has begun. */
  #cushion: Uint8Array[] | null = [];
  isCut = false;
  /** Of a connection whose call is over, or of words that no one is to hear. */
  isDiscarded: boolean;
  /** It began before the gate opened, by itself, and is heard since. */
  wasReleased = false;
  /** What it called a tool for is known: the model answers that next. */
  wasContinued = false;
  /** It has sound, or calls a tool. */
  saidSomething = false;
  words = '';
  /** What it called before the gate opened. */
  readonly #early: FunctionCall[] = [];

  constructor(
    name: string,
    input: Pick<LiveAnswer, 'isAsked' | 'isWhole' | 'isHeld' | 'isDiscarded'> & {
      readonly emit: (event: AnswerEvent) => void;
    },
  ) {
    this.name = name;
    this.isAsked = input.isAsked;
    this.isWhole = input.isWhole;
    this.isDiscarded = input.isDiscarded;
    this.#held = input.isHeld ? [] : null;
    this.#emit = input.emit;
  }

  /** It waits for the gate. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Nothing more of it is played. */
  get isDropped(): boolean {
    return this.isCut || this.isDiscarded;
  }

  /** A longer pause ends it. */
  get pauseMs(): number {
    if (this.isDropped) return DROPPED_PAUSE_MS;
    return this.wasContinued ? CONTINUED_PAUSE_MS : PAUSE_MS;
  }

  sound(ulaw: Uint8Array): void {
    if (this.#cushion === null) return this.emit({ kind: 'sound', item: this.name, ulaw });
    this.#cushion.push(ulaw);
    if (this.#cushion.reduce((sum, { length }) => sum + length, 0) >= CUSHION_MS * BYTES_PER_MS) this.endSound();
  }

  /** What was kept is played. */
  endSound(): void {
    const kept = this.#cushion ?? [];
    this.#cushion = null;
    if (kept.length > 0) this.emit({ kind: 'sound', item: this.name, ulaw: Buffer.concat(kept) });
  }

  emit(event: AnswerEvent): void {
    if (this.isDropped && event.kind !== 'item_over') return;
    if (this.#held === null) this.#emit(event);
    else this.#held.push(event);
  }

  /** It called a tool, and waits for the gate. */
  callsEarly(call: FunctionCall): void {
    this.#early.push(call);
  }

  /** What it called before the gate opened. Each is returned once. */
  takeEarlyCalls(): readonly FunctionCall[] {
    return this.#early.splice(0);
  }

  /** The gate is open. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.wasReleased = true;
    for (const event of held) this.#emit(event);
  }
}
