import { levelOf, SPEECH_LEVEL, STEP_MS } from './envelope.ts';

export type TurnEvent =
  /** Only where `pauseMs` was asked for: the turn may be over. `resumed` or `stopped` follows. */
  | { readonly kind: 'paused'; readonly startMs: number; readonly endMs: number; readonly samples: Int16Array }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'started'; readonly startMs: number }
  /** `samples`: the turn with the silence at its end. */
  | { readonly kind: 'stopped'; readonly startMs: number; readonly endMs: number; readonly samples: Int16Array };

const STEP_SAMPLES = 160;
/** This much speech begins a turn: less is a click. */
const STARTING_STEPS = 3;
/** What is kept from before the turn began, as providers do. */
const PREFIX_STEPS = 15;

/** Finds the callee's turns in a stream of sound, by loudness, as a provider's voice activity detection does. */
export class TurnFinder {
  #silenceSteps: number;
  #rest = new Int16Array();
  #steps: Int16Array[] = [];
  #heardMs = 0;
  #loudSteps = 0;
  #quietSteps = 0;
  #startMs: number | null = null;
  readonly #pauseSteps: number | null;
  #paused = false;

  constructor({ silenceMs, pauseMs = null }: { readonly silenceMs: number; readonly pauseMs?: number | null }) {
    this.#silenceSteps = Math.ceil(silenceMs / STEP_MS);
    this.#pauseSteps = pauseMs === null ? null : Math.ceil(pauseMs / STEP_MS);
  }

  /** The sound that was heard so far. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** Silence that ends a turn. */
  set silenceMs(silenceMs: number) {
    this.#silenceSteps = Math.ceil(silenceMs / STEP_MS);
  }

  /** Time is counted in the sound that was heard. */
  hear(samples: Int16Array): readonly TurnEvent[] {
    const all = new Int16Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    const events: TurnEvent[] = [];
    let start = 0;
    for (; start + STEP_SAMPLES <= all.length; start += STEP_SAMPLES) {
      const event = this.#step(all.slice(start, start + STEP_SAMPLES));
      if (event !== null) events.push(event);
    }
    this.#rest = all.slice(start);
    return events;
  }

  #step(step: Int16Array): TurnEvent | null {
    this.#heardMs += STEP_MS;
    this.#steps.push(step);
    const loud = levelOf(step, 0) > SPEECH_LEVEL;
    this.#quietSteps = loud ? 0 : this.#quietSteps + 1;
    this.#loudSteps = loud ? this.#loudSteps + 1 : this.#startMs === null ? 0 : this.#loudSteps;
    if (this.#startMs === null) {
      if (this.#steps.length > PREFIX_STEPS + STARTING_STEPS) this.#steps.shift();
      if (this.#loudSteps < STARTING_STEPS) return null;
      this.#startMs = this.#heardMs - STARTING_STEPS * STEP_MS;
      return { kind: 'started', startMs: this.#startMs };
    }
    if (this.#paused && loud) {
      this.#paused = false;
      return { kind: 'resumed' };
    }
    if (this.#quietSteps < this.#silenceSteps) return this.#pause();
    return this.end();
  }

  /** The turn that is under way ends here. Null without one. */
  end(): Extract<TurnEvent, { kind: 'stopped' }> | null {
    if (this.#startMs === null) return null;
    const turn = joined(this.#steps);
    const event = { kind: 'stopped', startMs: this.#startMs, endMs: this.#heardMs, samples: turn } as const;
    this.#startMs = null;
    this.#steps = [];
    this.#loudSteps = 0;
    this.#paused = false;
    return event;
  }

  #pause(): TurnEvent | null {
    if (this.#quietSteps !== this.#pauseSteps || this.#startMs === null) return null;
    this.#paused = true;
    return { kind: 'paused', startMs: this.#startMs, endMs: this.#heardMs, samples: joined(this.#steps) };
  }
}

function joined(steps: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(steps.length * STEP_SAMPLES);
  for (const [index, step] of steps.entries()) samples.set(step, index * STEP_SAMPLES);
  return samples;
}
