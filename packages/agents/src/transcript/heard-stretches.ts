import { FRAME_MS } from '@outdial/calls';
import type { Heard } from '../hearing/turn-detector.ts';

export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** A shorter silence is a part of a word. */
const PAUSE_MS = 200;
/** A provider finds the beginning and the end of the same speech this much earlier or later than the ear. */
const NEAR_MS = 400;
/** Words come late, but not later than so much speech. */
const MOST = 200;

/** When the ear heard the callee's speech. */
export class HeardStretches {
  readonly #stretches: { readonly startMs: number; endMs: number }[] = [];

  /** Call it with every frame. */
  follow({ turn, nowMs }: Pick<Heard, 'turn' | 'nowMs'>): void {
    if (turn?.endMs !== nowMs) return;
    const last = this.#stretches.at(-1);
    const goesOn = last !== undefined && last.endMs > turn.startMs;
    if (goesOn && nowMs - last.endMs <= PAUSE_MS) {
      last.endMs = nowMs;
      return;
    }
    this.#stretches.push({ startMs: goesOn ? nowMs - FRAME_MS : turn.startMs, endMs: nowMs });
    if (this.#stretches.length > MOST) this.#stretches.shift();
  }

  /**
   * When the words of a provider were heard. Providers say it less exactly than the ear: where it ends, they count the
   * silence after which they knew.
   */
  timesOf<Words extends Stretch>(words: Words): Words {
    const heard = this.#stretches.filter(({ startMs, endMs }) => startMs < words.endMs && endMs > words.startMs);
    const startMs = heard[0]?.startMs ?? words.startMs;
    const endMs = heard.at(-1)?.endMs ?? words.endMs;
    return {
      ...words,
      startMs: Math.abs(startMs - words.startMs) <= NEAR_MS ? startMs : words.startMs,
      endMs: endMs - words.endMs <= NEAR_MS ? endMs : words.endMs,
    };
  }
}
