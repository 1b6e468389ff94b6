import { CallTimes } from '../../sound/call-times.ts';

export interface TurnTimes {
  readonly startMs: number;
  readonly endMs: number;
}

/** The callee's turns that the provider has heard and not transcribed yet, with their times in the call. */
export class HeardTurns {
  readonly #times = new CallTimes();
  readonly #turns = new Map<string, { startMs: number; endMs: number }>();
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

  /** Returns the time in the call. */
  started(item: string, sentMs: number): number {
    const startMs = this.#times.callTimeOf(sentMs);
    this.#turns.set(item, { startMs, endMs: startMs });
    this.#underWay = item;
    return startMs;
  }

  stopped(item: string, sentMs: number): void {
    this.#end(item, this.#times.callTimeOf(sentMs));
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

  #end(item: string, endMs: number): void {
    const turn = this.#turns.get(item);
    if (turn !== undefined) turn.endMs = Math.max(turn.startMs, endMs);
    if (this.#underWay === item) this.#underWay = null;
  }
}

const BYTES_PER_MS = 8;
