import type { Persona } from './persona.ts';
import { answer, echoBack, hangUp, wait } from './steps.ts';

/** Answers at once and hangs up `ms` later; 0 is a call without length. For load tests. */
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

/** Answers at once and sends back what it hears, until it is hung up: for measuring long calls and many of them. */
export const echo: Persona = {
  name: 'echo',
  reachable: true,
  sounds: [],
  *play() {
    yield answer;
    yield echoBack;
  },
};
