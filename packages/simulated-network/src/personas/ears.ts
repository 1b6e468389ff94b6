import { FRAME_MS, type Frame } from '@outdial/calls';
import { rootMeanSquare } from '@outdial/telephony';

/** Speech begins above the first level and goes on above the second: breaths and word ends do not chop it. */
const BEGIN_LEVEL = 500;
const CONTINUE_LEVEL = 250;
/** Shorter than this is a click. */
const BEGIN_FRAMES = 3;
/** A pause inside a sentence is shorter; after a longer one it is the other's turn. */
const TURN_GAP_MS = 700;

/** How a callee hears the agent: by energy alone, with hysteresis. It knows turns and their length, never words. */
export class Ears {
  #loudFrames = 0;
  #speaking = false;
  #turnMs = 0;
  #silentMs = 0;
  #finishedTurnMs: number | undefined;

  /** The agent's turn is under way. */
  get agentSpeaking(): boolean {
    return this.#speaking;
  }

  /** The agent finished a turn that nobody took yet. */
  get agentFinished(): boolean {
    return this.#finishedTurnMs !== undefined;
  }

  /** One frame of what the agent said; undefined is silence. */
  hear(frame: Frame | undefined): void {
    const level = frame ? rootMeanSquare(frame) : 0;
    if (!this.#speaking) this.#awaitTurn(level);
    else if (level >= CONTINUE_LEVEL) {
      this.#turnMs += this.#silentMs + FRAME_MS;
      this.#silentMs = 0;
    } else this.#awaitEnd();
  }

  /** The length of the finished turn, which is thereby taken; 0 if there is none. */
  takeTurnMs(): number {
    const turnMs = this.#finishedTurnMs ?? 0;
    this.#finishedTurnMs = undefined;
    return turnMs;
  }

  #awaitTurn(level: number): void {
    this.#loudFrames = level >= BEGIN_LEVEL ? this.#loudFrames + 1 : 0;
    if (this.#loudFrames < BEGIN_FRAMES) return;
    this.#speaking = true;
    this.#turnMs = this.#loudFrames * FRAME_MS;
    this.#silentMs = 0;
    // Whoever goes on talking has not finished after all.
    this.#finishedTurnMs = undefined;
  }

  #awaitEnd(): void {
    this.#silentMs += FRAME_MS;
    if (this.#silentMs < TURN_GAP_MS) return;
    this.#speaking = false;
    this.#loudFrames = 0;
    this.#finishedTurnMs = this.#turnMs;
  }
}
