import type { Persona, Script } from './persona.ts';
import { speech, RINGING_TONE, type Sound } from './sounds.ts';
import { answer, hangUp, hold, press, progress, resume, ring, say, wait, waitFor } from './steps.ts';

const GREETING = speech('Hello?');
const REPLIES = [speech('Yes, speaking.'), speech('Okay, that is fine.'), speech('All right, thank you.')] as const;
const [, LAST_WORDS] = REPLIES;
const FAREWELL = speech('Goodbye.');
const OBJECTION = speech('Wait, hold on a second, I have a question first.');
const NO_MORE_CALLS = speech('Please stop calling me. Take me off your list.');
const HOLD_ON = speech('One moment, please.');
const BACK_AGAIN = speech('I am back. Please go on.');

/** A turn this short, late in the conversation, counts as a farewell, since the callee does not understand words. */
const MAX_FAREWELL_MS = 1_200;

/** The sounds of `converse`. */
export const CONVERSATION: readonly Sound[] = [...REPLIES, FAREWELL];

/** Answers every turn of the agent, and a farewell with a farewell, until the agent hangs up. */
export function* converse(): Script {
  for (let turns = 0; ; turns += 1) {
    const { turnMs } = yield waitFor('agent_finished');
    const isFarewell = turns > 0 && turnMs <= MAX_FAREWELL_MS;
    yield say(isFarewell ? FAREWELL : (REPLIES[turns % REPLIES.length] ?? REPLIES[0]));
  }
}

/** Picks up and says hello after a moment. */
function* pickUp(): Script {
  yield answer;
  yield wait(300);
  yield say(GREETING);
}

function* ringAndPickUp(): Script {
  yield ring;
  yield wait(1_000);
  yield* pickUp();
}

export const friendly: Persona = {
  name: 'friendly',
  reachable: true,
  sounds: [GREETING, ...CONVERSATION],
  *play() {
    yield* ringAndPickUp();
    yield* converse();
  },
};

export const refusesTransfer: Persona = {
  ...friendly,
  name: 'refuses_transfer',
  transfer: { kind: 'refuses', sipCode: 603 },
};

export const forbidsTransfer: Persona = {
  ...friendly,
  name: 'forbids_transfer',
  transfer: { kind: 'refuses', sipCode: 405 },
};

export const ignoresTransfer: Persona = { ...friendly, name: 'ignores_transfer', transfer: { kind: 'ignores' } };

/** Hangs up 3 s after the answer, even in the middle of a sentence. */
export const impatient: Persona = {
  name: 'impatient',
  reachable: true,
  sounds: [],
  *play() {
    yield ring;
    yield wait(1_000);
    yield answer;
    yield wait(3_000);
    yield hangUp;
  },
};

export const silent: Persona = {
  name: 'silent',
  reachable: true,
  sounds: [],
  *play() {
    yield ring;
    yield wait(1_000);
    yield answer;
  },
};

/** The network plays a ringing tone for 8 s before the callee picks up. */
export const slow: Persona = {
  name: 'slow',
  reachable: true,
  sounds: [RINGING_TONE, GREETING, ...CONVERSATION],
  *play() {
    yield progress;
    yield say(RINGING_TONE);
    // The answer cuts the second period short.
    yield wait(2_000);
    yield* pickUp();
    yield* converse();
  },
};

/** Talks over the agent's first two turns. */
export const talksOver: Persona = {
  name: 'talks_over',
  reachable: true,
  sounds: [GREETING, OBJECTION, ...CONVERSATION],
  *play() {
    yield* ringAndPickUp();
    for (let objections = 0; objections < 2; objections += 1) {
      yield waitFor('agent_speaking');
      yield wait(600);
      yield say(OBJECTION);
      yield waitFor('agent_finished');
    }
    yield* converse();
  },
};

/** Says hello again over the agent's first turn, presses 1 after it, and hangs up with its last words. */
export const interjects: Persona = {
  name: 'interjects',
  reachable: true,
  sounds: [GREETING, LAST_WORDS],
  *play() {
    yield* ringAndPickUp();
    yield waitFor('agent_speaking');
    yield wait(600);
    yield say(GREETING);
    // The agent may be silent for a moment before it goes on.
    yield wait(4_500);
    yield waitFor('agent_finished');
    yield press('1');
    yield waitFor('agent_finished');
    yield say(LAST_WORDS);
    yield hangUp;
  },
};

/** Presses 9 after the agent's first turn: in most calls that key means no more calls. */
export const optsOut: Persona = {
  name: 'opts_out',
  reachable: true,
  sounds: [GREETING, ...CONVERSATION],
  *play() {
    yield* ringAndPickUp();
    yield waitFor('agent_finished');
    yield press('9');
    yield* converse();
  },
};

/** Asks not to be called again after the agent's first turn. */
export const objects: Persona = {
  name: 'objects',
  reachable: true,
  sounds: [GREETING, NO_MORE_CALLS, ...CONVERSATION],
  *play() {
    yield* ringAndPickUp();
    yield waitFor('agent_finished');
    yield say(NO_MORE_CALLS);
    yield* converse();
  },
};

/** Puts the call on hold after the agent's first turn, then resumes it. */
export const holds: Persona = {
  name: 'holds',
  reachable: true,
  sounds: [GREETING, HOLD_ON, BACK_AGAIN, ...CONVERSATION],
  *play() {
    yield* ringAndPickUp();
    yield waitFor('agent_finished');
    yield say(HOLD_ON);
    yield hold;
    yield wait(3_000);
    yield resume;
    yield say(BACK_AGAIN);
    yield* converse();
  },
};
