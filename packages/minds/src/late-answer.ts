import type { Clock, Timer } from '@outdial/kernel';
import type { Beside } from './connections.ts';
import type { Mind, MindEvent } from './mind.ts';
import { Race, type RaceInput } from './race.ts';

export interface LateAnswerInput extends Pick<RaceInput, 'open' | 'won' | 'leave'> {
  readonly clock: Clock;
  /** The fallback that runs first. */
  readonly nextChoice: () => number;
}

/** What takes the place of the mind whose answer is late. */
export interface Winner {
  readonly runner: Beside;
  /** Its provider has accepted its settings. */
  readonly isReady: boolean;
  /** What it has reported so far, in order. */
  readonly held: readonly MindEvent[];
}

/** Whether the answer that the callee waits for is late, and the race for it. */
export class LateAnswer {
  readonly #input: LateAnswerInput;
  #race: Race | null = null;
  /** Until the race begins. */
  #timer: Timer | null = null;
  #sinceMs = 0;

  constructor(input: LateAnswerInput) {
    this.#input = input;
  }

  get isRaced(): boolean {
    return this.#race !== null;
  }

  /** The mind that races; undefined: none does. */
  get runner(): Mind | undefined {
    return this.#race?.runner?.mind;
  }

  /** When the answer was late, by the clock. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** The answer is late: its race begins after so long, unless `end` is called by then. */
  begin(afterMs: number): void {
    if (this.#race !== null || this.#timer !== null) return;
    this.#sinceMs = this.#input.clock.monotonicMs();
    if (afterMs === 0) return this.#start();
    this.#timer = this.#input.clock.after(afterMs, () => {
      this.#timer = null;
      this.#start();
    });
  }

  /** An event of the mind that is raced. */
  observe(event: MindEvent): void {
    this.#race?.observe(event);
  }

  /** Ends the race in favor of its runner. Null: none runs. */
  take(): Winner | null {
    const race = this.#race;
    const runner = race?.stop();
    if (race === null || !runner) return null;
    this.#race = null;
    return { runner, isReady: race.isReady, held: race.take() };
  }

  /** Ends the race, if there is one: its runner leaves. */
  end(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const runner = this.#race?.stop();
    this.#race = null;
    if (runner) this.#input.leave(runner.mind);
  }

  #start(): void {
    const { nextChoice, open, won, leave } = this.#input;
    this.#race = new Race({ choice: nextChoice(), open, won, leave, lost: () => (this.#race = null) });
    this.#race.start();
  }
}
