import { FAMILIES, REALTIME_PROVIDERS, type Family, type RealtimeProvider } from './conducted-agent.ts';
import {
  BYE,
  callee,
  endCall,
  GENERATED,
  MESSAGE,
  OBJECTION,
  OPENING,
  PROMPT,
  reads,
  says,
  SLOT,
  type WholeCall,
} from './scenario.ts';

/** It comes to its end also where sound is lost, and a sentence is unknown. */
const SCRIPT = {
  opening: { say: GENERATED },
  rules: [
    { when: /9:00/, say: SLOT },
    { when: /fine|thank you\./, say: BYE, tool: endCall },
    { when: /pressed 1/, say: 'You have pressed one.' },
    // The callee is away, or the menu has its digit.
    { when: /One moment|^pressed/ },
    { when: /Hello/, say: 'I am still here.' },
  ],
  otherwise: { say: 'Of course, what would you like to know about your appointment?' },
};
const PRESS = { type: 'press_digits', name: 'press_digits', description: 'Presses keys.' };
const LEAVE = { type: 'leave_voicemail', name: 'leave_voicemail', description: 'Leaves a message.' };
const press = { name: 'press_digits', arguments: { digits: '1' } };
const findSlots = { name: 'slots', arguments: { day: 'Tuesday' } };
const ASKS_AGAIN = { prompt: PROMPT, after_ms: 6_000 };
const REPLY = 'A reminder of an appointment.';

/** Calls to people. */
const toPeople = (family: Family): readonly WholeCall[] => [
  {
    name: 'a static first message, a tool, and an end by the model',
    family,
    persona: 'friendly',
    script: { ...SCRIPT, otherwise: { tool: findSlots } },
    httpTools: ['slots'],
    expected: {
      reason: 'agent_hangup',
      answeredBy: 'human',
      turns: [reads(OPENING), callee('Yes, speaking.'), says(SLOT), callee('Okay, that is fine.'), says(BYE)],
    },
  },
  {
    name: 'a generated first message that goes on after a false alarm, a key, and words that end with the call',
    family,
    persona: 'interjects',
    script: SCRIPT,
    settings: { first_message_mode: 'generated', interruption: { min_words: 3 } },
    expected: {
      reason: 'callee_hangup',
      answeredBy: 'human',
      turns: [
        says(GENERATED),
        callee('Hello?'),
        ['callee', '1', 'dtmf'],
        says('You have pressed one.'),
        callee('Okay, that is fine.'),
      ],
    },
  },
  {
    name: 'a callee who talks over the agent',
    family,
    persona: 'talks_over',
    script: SCRIPT,
    settings: { no_input: ASKS_AGAIN },
    expected: { reason: 'agent_hangup', answeredBy: 'human', turns: [callee(OBJECTION), says(BYE)] },
  },
  {
    name: 'a callee who puts the call on hold',
    family,
    persona: 'holds',
    script: SCRIPT,
    settings: { no_input: ASKS_AGAIN },
    expected: {
      reason: 'agent_hangup',
      answeredBy: 'human',
      turns: [reads(OPENING), callee('One moment, please.'), callee('I am back. Please go on.'), says(BYE)],
    },
  },
  {
    name: 'a silent callee, who is asked whether they are there',
    family,
    persona: 'silent',
    script: { ...SCRIPT, opening: { say: PROMPT } },
    // Without a prompt, the model makes one.
    settings: { no_input: { after_ms: 1_500, times: 1, ...(family === 'realtime' ? { prompt: PROMPT } : {}) } },
    expected: {
      reason: 'silence_timeout',
      answeredBy: 'unknown',
      turns: [reads(OPENING), family === 'realtime' ? reads(PROMPT) : says(PROMPT)],
    },
  },
  {
    name: 'a callee who hangs up after three seconds',
    family,
    persona: 'impatient',
    script: SCRIPT,
    expected: { reason: 'callee_hangup', answeredBy: 'unknown' },
  },
];

/** Calls to machines. */
const toMachines = (family: Family): readonly WholeCall[] => [
  {
    name: 'a voicemail that gets its message',
    family,
    persona: 'voicemail',
    script: { ...SCRIPT, opening: { say: MESSAGE } },
    // Without a message, the model makes one.
    settings: { voicemail: { action: 'leave_message', ...(family === 'realtime' ? { message: MESSAGE } : {}) } },
    expected: { reason: 'voicemail_reached', answeredBy: 'voicemail' },
  },
  {
    name: 'a screening service that gets the reply',
    family,
    persona: 'screening',
    script: SCRIPT,
    settings: { screening_reply: REPLY },
    expected: { reason: 'call_screened', answeredBy: 'screening', turns: [reads(REPLY)] },
  },
  {
    name: 'a menu that gets its digit from the model',
    family,
    persona: 'menu',
    script: {
      ...SCRIPT,
      rules: [{ when: /help|speaking/, say: SLOT }, ...SCRIPT.rules],
      otherwise: { tool: press },
    },
    settings: { tools: [PRESS], no_input: ASKS_AGAIN },
    expected: { reason: 'agent_hangup', answeredBy: 'ivr', turns: [says(BYE)] },
  },
  {
    name: 'a machine that the model finds, where the callee speaks first',
    family,
    persona: 'menu',
    script: { ...SCRIPT, rules: [], otherwise: { tool: { name: 'leave_voicemail', arguments: {} } } },
    settings: { first_speaker: 'callee', tools: [LEAVE], voicemail: { action: 'leave_message', message: MESSAGE } },
    expected: { reason: 'voicemail_reached', answeredBy: 'voicemail', turns: [reads(MESSAGE)] },
  },
];

const of = (family: Family): readonly WholeCall[] => [...toPeople(family), ...toMachines(family)];

/**
 * Of the providers of speech to speech other than OpenAI, which conducts all: where their protocols differ in what they
 * hear, say and stop saying, and each other callee with one or two of them. A whole call with a tool is in
 * `conducted-calls.test.ts`, with each provider.
 */
const PERSONAS_OF: Readonly<Record<Exclude<RealtimeProvider, 'openai'>, readonly string[]>> = {
  openai_live: ['interjects', 'talks_over', 'holds', 'menu'],
  azure: ['interjects', 'talks_over', 'silent', 'voicemail'],
  xai: ['interjects', 'talks_over', 'holds', 'screening'],
  google: ['interjects', 'talks_over', 'silent', 'menu'],
};

/** Every test number with each family. */
export const CONVERSATIONS: readonly WholeCall[] = [
  ...FAMILIES.flatMap(of),
  ...REALTIME_PROVIDERS.flatMap((provider) =>
    provider === 'openai'
      ? []
      : of('realtime')
          .filter(({ persona }) => PERSONAS_OF[provider].includes(persona))
          .map((call): WholeCall => ({ ...call, provider, name: `over ${provider}, ${call.name}` })),
  ),
];
