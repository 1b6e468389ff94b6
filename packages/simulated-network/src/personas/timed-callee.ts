import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import type { CalleeSignal, Persona, TimedStep } from './persona.ts';
import { ELAPSED, ScriptRunner } from './script-runner.ts';
import { estimateMs } from './sounds.ts';

export interface TimedCalleeOptions {
  readonly persona: Persona;
  readonly clock: Pick<Clock, 'after'>;
  readonly onSignal: (signal: CalleeSignal) => void;
}

/**
 * A persona without audio, for load tests: at most one timer, and none while it waits for a cue that needs audio. It
 * never hears the agent; what it says only takes time.
 */
export class TimedCallee {
  readonly #runner: ScriptRunner;
  readonly #clock: Pick<Clock, 'after'>;
  #timer: Timer | undefined;

  constructor({ persona, clock, onSignal }: TimedCalleeOptions) {
    this.#runner = new ScriptRunner(persona, onSignal);
    this.#clock = clock;
  }

  begin(): void {
    this.#await(this.#runner.begin());
  }

  stop(): void {
    this.#runner.stop();
    this.#timer?.cancel();
  }

  #await(step: TimedStep | undefined): void {
    if (!step) return;
    const ms = lengthMsOf(step);
    if (ms === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#clock.after(ms, () => this.#await(this.#runner.next(ELAPSED)));
  }
}

function lengthMsOf(step: TimedStep): number {
  switch (step.kind) {
    case 'wait':
      return step.ms;
    case 'say':
      return estimateMs(step.sound);
    case 'echo':
      return Number.POSITIVE_INFINITY;
    default:
      return unreachable(step);
  }
}
