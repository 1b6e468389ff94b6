import { CallTimes } from '../../sound/call-times.ts';
import { BYTES_PER_MS } from '../../sound/ulaw.ts';

export interface TurnTimes {
  readonly startMs: number;
  readonly endMs: number;
}

interface HeardTurn {
  readonly startMs: number;
  endMs: number;
  isOver: boolean;
  /** What the provider understood so far; it may never say that this is all. */
  text: string | null;
}

/** The callee's turns that the provider has heard and not transcribed yet, with their times in the call. */
export class HeardTurns {
  readonly #times = new CallTimes();
  readonly #turns = new Map<string, HeardTurn>();
  #underWay: string | null = null;
  #heardMs = 0;

  /** Sound was sent: µ-law at 8 kHz, heard from `fromMs` on. */
  sent(bytes: number, fromMs: number): void {
    this.#times.sent(bytes, fromMs);
    this.#heardMs = fromMs + bytes / BYTES_PER_MS;
  }

  /** Some turn awaits its end, or its words. */
  get pending(): boolean {
    return this.#turns.size > 0;
  }

  /** The turn that has no end yet. */
  get underWay(): string | null {
    return this.#underWay;
  }

  /** Returns the time in the call. `sentMs`: in the sound that was sent; undefined: now. A turn may go on. */
  started(item: string, sentMs: number | undefined): number {
    const startMs = this.#turns.get(item)?.startMs ?? this.#callTimeOf(sentMs);
    this.#turns.set(item, { startMs, endMs: startMs, isOver: false, text: null });
    this.#underWay = item;
    return startMs;
  }

  stopped(item: string, sentMs: number | undefined): void {
    this.#end(item, this.#callTimeOf(sentMs));
  }

  /** What of a turn is understood so far. True: it goes on, and so may its words. */
  understood(item: string, text: string): boolean {
    const turn = this.#turns.get(item);
    if (turn !== undefined) turn.text = text;
    return turn?.isOver === false;
  }

  /** Turns that are over and of which some words are known, with these. They are forgotten. */
  takeUnderstood(): readonly (TurnTimes & { readonly item: string; readonly text: string })[] {
    return [...this.#turns].flatMap(([item, { isOver, text, startMs, endMs }]) => {
      if (!isOver || text === null) return [];
      this.#turns.delete(item);
      return [{ item, text, startMs, endMs }];
    });
  }

  /** The sound up to here is an item. One that we asked for may have another name than the turn had. */
  committed(item: string): void {
    const turn = this.#underWay === null ? undefined : this.#turns.get(this.#underWay);
    if (this.#underWay === null || turn === undefined) return;
    this.#turns.delete(this.#underWay);
    this.#turns.set(item, turn);
    this.#underWay = item;
    this.#end(item, this.#heardMs);
  }

  /** The turn has its words, or will never have any. Undefined: it is unknown. */
  take(item: string): TurnTimes | undefined {
    const turn = this.#turns.get(item);
    this.#turns.delete(item);
    if (this.#underWay === item) this.#underWay = null;
    return turn;
  }

  #callTimeOf(sentMs: number | undefined): number {
    return sentMs === undefined ? this.#heardMs : this.#times.callTimeOf(sentMs);
  }

  #end(item: string, endMs: number): void {
    const turn = this.#turns.get(item);
    if (turn !== undefined) {
      turn.endMs = Math.max(turn.startMs, endMs);
      turn.isOver = true;
    }
    if (this.#underWay === item) this.#underWay = null;
  }
}
