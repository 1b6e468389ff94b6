import type { CalleeSignal, Persona, Script, StepEnd, TimedStep } from './persona.ts';

/** Steps through a script: emits signals at once, and returns timed steps to the caller. */
export class ScriptRunner {
  readonly #script: Script;
  readonly #onSignal: (signal: CalleeSignal) => void;
  #stopped = false;

  constructor(persona: Persona, onSignal: (signal: CalleeSignal) => void) {
    this.#script = persona.play();
    this.#onSignal = onSignal;
  }

  /** The first timed step; undefined at the end of the script. */
  begin(): TimedStep | undefined {
    return this.#follow(() => this.#script.next());
  }

  /** The next timed step, after the last one has ended. */
  next(end: StepEnd): TimedStep | undefined {
    return this.#follow(() => this.#script.next(end));
  }

  /** Ends the script. Idempotent; may be called inside a signal. */
  stop(): void {
    this.#stopped = true;
  }

  #follow(resume: () => ReturnType<Script['next']>): TimedStep | undefined {
    if (this.#stopped) return undefined;
    let result = resume();
    while (!result.done) {
      const step = result.value;
      if (step.kind !== 'signal') return step;
      this.#onSignal(step.signal);
      // The signal may have ended the call.
      if (this.#stopped) return undefined;
      result = this.#script.next(ELAPSED);
    }
    return undefined;
  }
}

export const ELAPSED: StepEnd = { cue: 'elapsed', turnMs: 0, digits: '' };
