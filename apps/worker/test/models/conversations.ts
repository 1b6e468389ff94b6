import { FAMILIES, REALTIME_PROVIDERS, type Family } from './conducted-agent.ts';
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
const NO_MORE_CALLS = 'You will not be called again. Goodbye.';
const TRANSFER = {
  type: 'transfer_call',
  name: 'transfer',
  description: 'Connects the callee with a colleague.',
  destinations: [{ name: 'Reception', to_number: '+12025559999', description: 'The callee has a question.' }],
};

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

const OVER_A_MENU = 'a machine that the model finds, where the callee speaks first';

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
    name: OVER_A_MENU,
    family,
    persona: 'menu',
    script: { ...SCRIPT, rules: [], otherwise: { tool: { name: 'leave_voicemail', arguments: {} } } },
    settings: { first_speaker: 'callee', tools: [LEAVE], voicemail: { action: 'leave_message', message: MESSAGE } },
    expected: { reason: 'voicemail_reached', answeredBy: 'voicemail', turns: [reads(MESSAGE)] },
  },
];

/** Calls to people who are late, want no more calls, or whose networks transfer no call. */
const toOthers = (family: Family): readonly WholeCall[] => [
  {
    name: 'a callee who is heard before the answer',
    family,
    persona: 'slow',
    script: { ...SCRIPT, otherwise: { say: BYE, tool: endCall } },
    expected: { reason: 'agent_hangup', answeredBy: 'human', turns: [reads(OPENING), says(BYE)] },
  },
  {
    name: 'a callee who wants no more calls, and presses the key for that',
    family,
    persona: 'opts_out',
    script: SCRIPT,
    settings: { opt_out: { key: '9' } },
    expected: { reason: 'opted_out', answeredBy: 'human', turns: [reads(OPENING), reads(NO_MORE_CALLS)] },
  },
  {
    name: 'a callee who asks for no more calls',
    family,
    persona: 'objects',
    script: { ...SCRIPT, rules: [], otherwise: { tool: { name: 'opt_out', arguments: { reason: 'asked' } } } },
    expected: { reason: 'opted_out', answeredBy: 'human', turns: [reads(OPENING), reads(NO_MORE_CALLS)] },
  },
  ...(['refuses_transfer', 'forbids_transfer', 'ignores_transfer'] as const).map((persona): WholeCall => ({
    name: `a network that ${persona.replace('_', ' a ')}`,
    family,
    persona,
    script: {
      ...SCRIPT,
      rules: [{ when: /not transferred/, say: BYE, tool: endCall }],
      otherwise: { tool: { name: 'transfer', arguments: { destination: 'Reception' } } },
    },
    settings: { tools: [TRANSFER] },
    expected: { reason: 'agent_hangup', answeredBy: 'human', turns: [reads(OPENING), says(BYE)] },
  })),
];

/** Calls that no callee answers. */
const UNANSWERED = {
  busy: 'busy',
  never_answers: 'no_answer',
  declines: 'declined',
  not_in_service: 'invalid_destination',
  congested: 'carrier_unavailable',
  unreachable: 'carrier_unavailable',
} as const;

const toNobody = (family: Family): readonly WholeCall[] =>
  Object.entries(UNANSWERED).map(([persona, reason]) => ({
    name: `an unanswered call: ${persona.replaceAll('_', ' ')}`,
    family,
    persona,
    script: SCRIPT,
    isQuiet: true,
    ...(persona === 'never_answers' ? { ringTimeoutSeconds: 5 } : {}),
    expected: { reason, answeredBy: null },
  }));

const of = (family: Family): readonly WholeCall[] => [
  ...toPeople(family),
  ...toMachines(family),
  ...toOthers(family),
  ...toNobody(family),
];

/**
 * Every test number with each family, and with each provider of speech to speech. GPT-Live stops itself when the callee goes on,
 * as a menu does that repeats itself over a message.
 */
export const CONVERSATIONS: readonly WholeCall[] = [
  ...FAMILIES.flatMap(of),
  ...REALTIME_PROVIDERS.filter((provider) => provider !== 'openai').flatMap((provider) =>
    of('realtime')
      .filter(({ name }) => provider !== 'openai_live' || name !== OVER_A_MENU)
      .map((call): WholeCall => ({ ...call, provider, name: `over ${provider}, ${call.name}` })),
  ),
];
