import { FRAME_MS, type Frame } from '@outdial/calls';
import { rootMeanSquare } from '@outdial/telephony';

/**
 * Speech starts above the first level and continues above the second, so that breaths and word ends do not split it.
 */
const BEGIN_LEVEL = 500;
const CONTINUE_LEVEL = 250;
/** Anything shorter is a click. */
const BEGIN_FRAMES = 3;
/** Longer than a pause inside a sentence: the turn has ended. */
const TURN_GAP_MS = 700;

/** How a callee hears the agent: by energy only, with hysteresis. It detects turns and their length, not words. */
export class TurnDetector {
  #loudFrames = 0;
  #speaking = false;
  #turnMs = 0;
  #silentMs = 0;
  #finishedTurnMs: number | undefined;

  /** The agent is in the middle of a turn. */
  get agentSpeaking(): boolean {
    return this.#speaking;
  }

  /** The agent finished a turn that was not taken yet. */
  get agentFinished(): boolean {
    return this.#finishedTurnMs !== undefined;
  }

  /** One frame of the agent's audio; undefined is silence. */
  hear(frame: Frame | undefined): void {
    const level = frame ? rootMeanSquare(frame) : 0;
    if (!this.#speaking) this.#awaitTurn(level);
    else if (level >= CONTINUE_LEVEL) {
      this.#turnMs += this.#silentMs + FRAME_MS;
      this.#silentMs = 0;
    } else this.#awaitEnd();
  }

  /** Takes the finished turn and returns its length; 0 if there is none. */
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
    // The agent continues, so the turn has not ended after all.
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
