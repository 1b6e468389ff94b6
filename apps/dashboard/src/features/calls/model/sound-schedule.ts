import { LIVE_SOUND } from '@outdial/contracts';

/** What the network may delay a message without a gap in the sound. */
const DELAY_SECONDS = 0.25;
/** Sound that comes faster than it is played is skipped beyond this: a live call is heard live. */
const MOST_AHEAD_SECONDS = 1;

const secondsOf = (frames: number): number => (frames * LIVE_SOUND.frameMs) / 1_000;

/** Decides when each message of a live call's sound is played. Times are seconds of the audio clock. */
export class SoundSchedule {
  #anchor: { readonly frame: number; readonly atSeconds: number } | null = null;
  #playsUntilSeconds = 0;

  /** Null: skip it. */
  place(firstFrame: number, frames: number, nowSeconds: number): number | null {
    const due = this.#anchor && this.#anchor.atSeconds + secondsOf(firstFrame - this.#anchor.frame);
    const isLate = due === null || due < nowSeconds;
    const atSeconds = isLate ? Math.max(nowSeconds + DELAY_SECONDS, this.#playsUntilSeconds) : due;
    const untilSeconds = atSeconds + secondsOf(frames);
    if (untilSeconds > nowSeconds + DELAY_SECONDS + MOST_AHEAD_SECONDS) {
      this.#anchor = { frame: firstFrame + frames, atSeconds: this.#playsUntilSeconds };
      return null;
    }
    if (isLate) this.#anchor = { frame: firstFrame, atSeconds };
    this.#playsUntilSeconds = untilSeconds;
    return atSeconds;
  }
}
