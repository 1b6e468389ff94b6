import type { Persona } from './persona.ts';
import { CONVERSATION, converse } from './people.ts';
import { RECORD_BEEP, speech } from './sounds.ts';
import { answer, hangUp, ring, say, wait } from './steps.ts';

const VOICEMAIL_GREETING = speech(
  'You have reached the voicemail of Alex Morgan. I cannot come to the telephone right now. ' +
    'Please leave your name, your number and a short message after the tone.',
);
/** The longest message that a mailbox records. */
const MAX_MESSAGE_MS = 120_000;

/** Greets for longer than a person does, beeps, and records in silence. */
export const voicemail: Persona = {
  name: 'voicemail',
  reachable: true,
  sounds: [VOICEMAIL_GREETING, RECORD_BEEP],
  *play() {
    yield ring;
    yield wait(2_000);
    yield answer;
    yield wait(200);
    yield say(VOICEMAIL_GREETING);
    yield wait(600);
    yield say(RECORD_BEEP);
    yield wait(MAX_MESSAGE_MS);
    yield hangUp;
  },
};

const SCREENING_QUESTION = speech('Hi. Please state your name and the reason for calling.');
/** How long the question waits for an answer. */
const SCREENING_PATIENCE_MS = 10_000;
/** Between the answer and the decision. */
const SCREENING_VERDICT_MS = 2_000;

/** Asks who is calling, listens to the answer, and hangs up. */
export const screening: Persona = {
  name: 'screening',
  reachable: true,
  sounds: [SCREENING_QUESTION],
  *play() {
    yield ring;
    yield wait(1_000);
    yield answer;
    yield wait(200);
    yield say(SCREENING_QUESTION);
    yield wait(SCREENING_PATIENCE_MS, 'agent_finished');
    yield wait(SCREENING_VERDICT_MS);
    yield hangUp;
  },
};

const MENU_PROMPT = speech(
  'Thank you for calling the service desk. To speak to a member of our team, press 1. To hear this again, stay on the line.',
);
const MENU_CONNECTED = speech('Service desk, how can I help?');
const MENU_REFUSAL = speech('Sorry, that is not a valid choice.');
const MENU_PATIENCE_MS = 4_000;
const MENU_THINKS_MS = 300;
const MENU_REPETITIONS = 5;

/** A menu that connects to a person with the digit 1. A digit interrupts the prompt. */
export const menu: Persona = {
  name: 'menu',
  reachable: true,
  sounds: [MENU_PROMPT, MENU_CONNECTED, MENU_REFUSAL, ...CONVERSATION],
  *play() {
    yield ring;
    yield wait(1_000);
    yield answer;
    yield wait(200);
    for (let prompts = 0; prompts < MENU_REPETITIONS; prompts += 1) {
      const prompted = yield say(MENU_PROMPT, 'digits');
      const { digits } = prompted.cue === 'digits' ? prompted : yield wait(MENU_PATIENCE_MS, 'digits');
      yield wait(MENU_THINKS_MS);
      if (digits.includes('1')) {
        yield say(MENU_CONNECTED);
        yield* converse();
      }
      if (digits === '') continue;
      yield say(MENU_REFUSAL);
      yield wait(MENU_THINKS_MS);
    }
    yield hangUp;
  },
};
