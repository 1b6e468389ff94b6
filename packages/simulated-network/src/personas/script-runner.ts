import type { CalleeSignal, Persona, Script, StepEnd, TimedStep } from './persona.ts';

/** Steps through a script: signals go out at once, and what takes time is left to the caller. */
export class ScriptRunner {
  readonly #script: Script;
  readonly #onSignal: (signal: CalleeSignal) => void;
  #stopped = false;

  constructor(persona: Persona, onSignal: (signal: CalleeSignal) => void) {
    this.#script = persona.play();
    this.#onSignal = onSignal;
  }

  /** The first step that takes time; undefined once there is none any more. */
  begin(): TimedStep | undefined {
    return this.#follow(() => this.#script.next());
  }

  /** The next step that takes time, now that the last one is over. */
  next(end: StepEnd): TimedStep | undefined {
    return this.#follow(() => this.#script.next(end));
  }

  /** Nothing of the script happens any more. Idempotent; also from inside a signal. */
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
