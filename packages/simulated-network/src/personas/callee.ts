import { FRAME_MS, FRAME_SAMPLES, type Frame } from '@outdial/calls';
import { invariant, unreachable } from '@outdial/kernel';
import { TurnDetector } from './turn-detector.ts';
import type { CalleeSignal, Cue, Persona, StepEnd, TimedStep } from './persona.ts';
import { ELAPSED, ScriptRunner } from './script-runner.ts';
import type { Samples } from './sound-bank.ts';

export interface CalleeOptions {
  readonly persona: Persona;
  /** All of the persona's sounds. */
  readonly samples: Samples;
  readonly onSignal: (signal: CalleeSignal) => void;
}

/** A running persona: a state machine over ticks of 20 ms, independent of how its audio is carried. */
export class Callee {
  readonly #runner: ScriptRunner;
  readonly #samples: Samples;
  readonly #turnDetector = new TurnDetector();
  #digits = '';
  #held = false;
  #begun = false;
  #step: TimedStep | undefined;
  /** Frames since the step began. */
  #framesDone = 0;

  constructor({ persona, samples, onSignal }: CalleeOptions) {
    this.#samples = samples;
    this.#runner = new ScriptRunner(persona, (signal) => {
      if (signal.kind === 'hold') this.#held = signal.held;
      onSignal(signal);
    });
  }

  /**
   * Runs the next 20 ms: takes the agent's audio and digits, returns the callee's audio. Undefined is silence. While
   * the callee holds the call, no audio passes in either direction.
   */
  tick(heard: Frame | undefined, digits: string): Frame | undefined {
    this.#turnDetector.hear(this.#held ? undefined : heard);
    this.#digits += digits;
    if (!this.#begun) {
      this.#begun = true;
      this.#step = this.#runner.begin();
    }
    while (this.#step) {
      const end = this.#endOf(this.#step);
      if (!end) return this.#play(this.#step, heard);
      this.#framesDone = 0;
      this.#step = this.#runner.next(end);
    }
    return undefined;
  }

  stop(): void {
    this.#runner.stop();
    this.#step = undefined;
  }

  #endOf(step: TimedStep): StepEnd | undefined {
    const cue = step.until.find((cue) => this.#isGiven(cue));
    if (cue) {
      const digits = this.#digits;
      if (cue === 'digits') this.#digits = '';
      return { cue, turnMs: cue === 'agent_finished' ? this.#turnDetector.takeTurnMs() : 0, digits };
    }
    return this.#framesDone * FRAME_MS >= this.#lengthMsOf(step) ? ELAPSED : undefined;
  }

  #lengthMsOf(step: TimedStep): number {
    switch (step.kind) {
      case 'wait':
        return step.ms;
      case 'say':
        return (this.#samplesOf(step).length / FRAME_SAMPLES) * FRAME_MS;
      case 'echo':
        return Number.POSITIVE_INFINITY;
      default:
        return unreachable(step);
    }
  }

  #isGiven(cue: Cue): boolean {
    switch (cue) {
      case 'agent_speaking':
        return this.#turnDetector.agentSpeaking;
      case 'agent_finished':
        return this.#turnDetector.agentFinished;
      case 'digits':
        return this.#digits !== '';
      default:
        return unreachable(cue);
    }
  }

  #play(step: TimedStep, heard: Frame | undefined): Frame | undefined {
    const from = this.#framesDone * FRAME_SAMPLES;
    this.#framesDone += 1;
    if (step.kind === 'wait' || this.#held) return undefined;
    if (step.kind === 'echo') return heard;
    return this.#samplesOf(step).subarray(from, from + FRAME_SAMPLES);
  }

  #samplesOf(step: Extract<TimedStep, { kind: 'say' }>): Int16Array {
    const samples = this.#samples.get(step.sound);
    invariant(samples, 'a persona must list every sound of its script');
    return samples;
  }
}
