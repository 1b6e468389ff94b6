import { BYTES_PER_MS } from './ulaw.ts';

/** A stretch of sound without a gap: where it begins in what was sent, and in the call. */
interface Stretch {
  readonly sentMs: number;
  readonly callMs: number;
}

/**
 * Providers count time in the sound that they received. This maps their times to the call's, also after stretches that
 * were never sent, such as a hold.
 */
export class CallTimes {
  readonly #stretches: Stretch[] = [];
  #sentMs = 0;
  #nextCallMs = Number.NaN;

  /** Sound was sent: µ-law at 8 kHz, heard from `fromMs` on. */
  sent(bytes: number, fromMs: number): void {
    if (fromMs !== this.#nextCallMs) this.#stretches.push({ sentMs: this.#sentMs, callMs: fromMs });
    const durationMs = bytes / BYTES_PER_MS;
    this.#sentMs += durationMs;
    this.#nextCallMs = fromMs + durationMs;
  }

  /** The time in the call of a moment in the sound that was sent. */
  callTimeOf(sentMs: number): number {
    const stretch = this.#stretches.findLast((candidate) => candidate.sentMs <= sentMs) ?? this.#stretches[0];
    return stretch === undefined ? sentMs : stretch.callMs + (sentMs - stretch.sentMs);
  }
}
