import type { Persona } from './persona.ts';
import { answer, echoBack, hangUp, wait } from './steps.ts';

/** Answers at once and hangs up `ms` later; 0 gives a call of zero duration. For load tests. */
export function hangsUpAfter(ms: number): Persona {
  return {
    name: `hangs_up_after_${ms}_ms`,
    reachable: true,
    sounds: [],
    *play() {
      yield answer;
      if (ms > 0) yield wait(ms);
      yield hangUp;
    },
  };
}

/** Answers at once and echoes its audio until the caller hangs up: for measuring many long calls. */
export const echo: Persona = {
  name: 'echo',
  reachable: true,
  sounds: [],
  *play() {
    yield answer;
    yield echoBack;
  },
};
