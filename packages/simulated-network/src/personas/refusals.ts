import type { Persona } from './persona.ts';
import { SPECIAL_INFORMATION_TONE } from './sounds.ts';
import { progress, reject, ring, say, wait, waitFor } from './steps.ts';

/** The time that the network or the callee needs before it rejects a call. */
const REFUSAL_DELAY_MS = 200;

export const busy: Persona = {
  name: 'busy',
  reachable: true,
  sounds: [],
  *play() {
    yield wait(REFUSAL_DELAY_MS);
    yield reject(486, 17);
  },
};

export const neverAnswers: Persona = {
  name: 'never_answers',
  reachable: true,
  sounds: [],
  *play() {
    yield ring;
    yield waitFor();
  },
};

export const declines: Persona = {
  name: 'declines',
  reachable: true,
  sounds: [],
  *play() {
    yield ring;
    yield wait(1_000);
    yield reject(603, 21);
  },
};

export const notInService: Persona = {
  name: 'not_in_service',
  reachable: true,
  sounds: [SPECIAL_INFORMATION_TONE],
  *play() {
    yield progress;
    yield say(SPECIAL_INFORMATION_TONE);
    yield reject(404, 1);
  },
};

export const congested: Persona = {
  name: 'congested',
  reachable: true,
  sounds: [],
  *play() {
    yield wait(REFUSAL_DELAY_MS);
    yield reject(503, 42, 30);
  },
};

/** An unassigned number. */
export const unassigned: Persona = {
  name: 'unassigned',
  reachable: true,
  sounds: [],
  *play() {
    yield wait(REFUSAL_DELAY_MS);
    yield reject(404, 1);
  },
};

export const unreachable: Persona = {
  name: 'unreachable',
  reachable: false,
  sounds: [],
  *play() {
    yield waitFor();
  },
};
