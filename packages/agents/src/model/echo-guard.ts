import type { Frame } from '@outdial/calls';
import { EchoDetector } from '../hearing/echo-detector.ts';
import type { Heard, SpokenTurn, TurnDetector } from '../hearing/turn-detector.ts';

/** Speech is compared with the agent's once it has lasted this long: before, it moves nothing. */
const FIRST_LOOK_MS = 140;
const NEXT_LOOK_MS = 100;
/** Speech that was none of the agent's until then is the callee's. */
const LAST_LOOK_MS = 340;
/** What is heard within this time after an echo, and is too short to be compared, is its rest. */
const REST_WITHIN_MS = 300;
/** Echoes of one answer: between two of them the agent pauses for breath. */
const SAME_ANSWER_MS = 2_000;

/**
 * The callee's turns without the agent's own voice, which a bad line returns: it would interrupt the agent, and count as
 * the callee's words. Call `played` once a frame, after `hear`.
 */
export class EchoGuard implements TurnDetector {
  readonly #turns: TurnDetector;
  readonly #firstLookMs: number;
  readonly #echo = new EchoDetector();
  #look: { readonly startMs: number; readonly atSpeechMs: number } | null = null;
  /** The echo of one answer. */
  #echoed: { readonly fromMs: number; readonly toMs: number } | null = null;

  /** `minSpeechMs`: so much speech interrupts the agent. */
  constructor(turns: TurnDetector, minSpeechMs: number) {
    this.#turns = turns;
    this.#firstLookMs = Math.min(FIRST_LOOK_MS, minSpeechMs);
  }

  hear(frame: Frame): Heard {
    this.#echo.heard(frame);
    const heard = this.#turns.hear(frame);
    if (heard.ended !== undefined && this.#isRest(heard.ended)) return { ...heard, ended: undefined };
    if (heard.turn === undefined || !this.#isDue(heard.turn) || !this.#echo.isEcho()) return heard;
    this.#turns.cut();
    this.#noteEcho(heard.turn.startMs, heard.nowMs);
    return { ...heard, turn: undefined };
  }

  played(frame: Frame | undefined): void {
    this.#echo.played(frame);
  }

  /** The frame that was heard last was found to be an echo. */
  get isEcho(): boolean {
    return this.#echoed?.toMs === this.#turns.nowMs();
  }

  /** Words of this time are the agent's own. */
  isEchoOf({ startMs, endMs }: Pick<SpokenTurn, 'startMs' | 'endMs'>): boolean {
    if (this.#echoed === null) return false;
    return startMs >= this.#echoed.fromMs - REST_WITHIN_MS && endMs <= this.#echoed.toMs + REST_WITHIN_MS;
  }

  nowMs(): number {
    return this.#turns.nowMs();
  }

  cut(): SpokenTurn | undefined {
    const turn = this.#turns.cut();
    return turn !== undefined && this.#isRest(turn) ? undefined : turn;
  }

  free(): void {
    this.#turns.free();
  }

  #isDue({ startMs, speechMs }: SpokenTurn): boolean {
    if (this.#look?.startMs !== startMs) this.#look = { startMs, atSpeechMs: this.#firstLookMs };
    const { atSpeechMs } = this.#look;
    if (speechMs < atSpeechMs || atSpeechMs > LAST_LOOK_MS) return false;
    this.#look = { startMs, atSpeechMs: atSpeechMs + NEXT_LOOK_MS };
    return true;
  }

  #isRest({ startMs, speechMs }: SpokenTurn): boolean {
    return this.#echoed !== null && startMs - this.#echoed.toMs <= REST_WITHIN_MS && speechMs < this.#firstLookMs;
  }

  #noteEcho(startMs: number, toMs: number): void {
    const last = this.#echoed;
    const continues = last !== null && startMs - last.toMs <= SAME_ANSWER_MS;
    this.#echoed = { fromMs: continues ? last.fromMs : startMs, toMs };
  }
}
