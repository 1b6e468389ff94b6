import type { AnsweredBy, EndedReason } from '@outdial/contracts';
import { FAMILIES, type Family } from './conducted-agent.ts';
import type { Scenario } from './scenario.ts';

export interface Expected {
  readonly reason: EndedReason;
  readonly answeredBy: AnsweredBy | null;
  /** Role, words and source of each turn, in order. Absent where it depends on when the callee interrupts. */
  readonly turns?: readonly (readonly [role: 'agent' | 'callee', text: string | null, source: string])[];
}
export type Conversation = Scenario & { readonly name: string; readonly expected: Expected };

export const OPENING = 'Good morning Anna, this is the dental practice.';
export const GENERATED = 'Good morning Anna, this is the dental practice of Doctor Miller.';
export const MESSAGE = 'Please call the dental practice back.';
export const OBJECTION = 'Wait, hold on a second, I have a question first.';
const BYE = 'Thank you, goodbye.';
const SLOT = 'There is a free slot at nine on Tuesday.';
const endCall = { name: 'end_call', arguments: { reason: 'done' } };
const callee = (text: string) => ['callee', text, 'stt'] as const;
const says = (text: string) => ['agent', text, 'model'] as const;
const reads = (text: string) => ['agent', text, 'script'] as const;

const SCRIPT = {
  opening: { say: GENERATED },
  rules: [
    // The callee is away, or the menu has its digit.
    { when: /One moment|^pressed/ },
    { when: /9:00/, say: SLOT },
    { when: /speaking/, tool: { name: 'slots', arguments: { day: 'Tuesday' } } },
    { when: /fine/, say: BYE, tool: endCall },
    { when: /question/, say: 'Of course, what would you like to know about your appointment?' },
    { when: /press 1/, tool: { name: 'press_digits', arguments: { digits: '1' } } },
    { when: /help/, say: 'I am calling about an appointment of one of your colleagues.' },
    { when: /I am back/, say: 'Thank you for coming back to the telephone.' },
    { when: /Hello/, say: 'I am still here.' },
    { when: /pressed 1/, say: 'You have pressed one.' },
  ],
  otherwise: { say: 'Could you say that again, please?' },
};
const PRESS = { type: 'press_digits', name: 'press_digits', description: 'Presses keys.' };
const LEAVE = { type: 'leave_voicemail', name: 'leave_voicemail', description: 'Leaves a message.' };

/** The conversations that both families must have in the same way. */
const ofBoth = (family: Family): readonly Conversation[] => [
  {
    name: 'a conversation with a static first message, a tool and an end by the model',
    family,
    persona: 'friendly',
    script: SCRIPT,
    httpTools: ['slots'],
    expected: {
      reason: 'agent_hangup',
      answeredBy: 'human',
      turns: [
        callee('Hello?'),
        reads(OPENING),
        callee('Yes, speaking.'),
        says(SLOT),
        callee('Okay, that is fine.'),
        says(BYE),
      ],
    },
  },
  {
    name: 'a generated first message that goes on after a false alarm, a key, and last words before the hang-up',
    family,
    persona: 'interjects',
    script: SCRIPT,
    settings: { first_message_mode: 'generated', interruption: { min_words: 3 } },
    expected: {
      reason: 'callee_hangup',
      answeredBy: 'human',
      turns: [
        callee('Hello?'),
        says(GENERATED),
        callee('Hello?'),
        says('I am still here.'),
        ['callee', '1', 'dtmf'],
        says('You have pressed one.'),
        callee('Okay, that is fine.'),
      ],
    },
  },
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
    settings: { screening_reply: 'A reminder of an appointment.' },
    expected: {
      reason: 'call_screened',
      answeredBy: 'screening',
      turns: [callee('Hi. Please state your name and the reason for calling.'), reads('A reminder of an appointment.')],
    },
  },
  {
    name: 'a menu that gets its digit from the model',
    family,
    persona: 'menu',
    script: SCRIPT,
    settings: { tools: [PRESS] },
    httpTools: ['slots'],
    expected: { reason: 'agent_hangup', answeredBy: 'ivr' },
  },
  {
    name: 'a callee who talks over the agent',
    family,
    persona: 'talks_over',
    script: SCRIPT,
    httpTools: ['slots'],
    expected: { reason: 'agent_hangup', answeredBy: 'human' },
  },
  {
    name: 'a callee who puts the call on hold',
    family,
    persona: 'holds',
    script: { ...SCRIPT, rules: [{ when: /speaking/, say: SLOT }, ...SCRIPT.rules] },
    expected: { reason: 'agent_hangup', answeredBy: 'human' },
  },
  {
    name: 'a silent callee',
    family,
    persona: 'silent',
    script: { ...SCRIPT, opening: { say: 'Are you there?' } },
    settings: {
      no_input: { after_ms: 1_500, times: 1, ...(family === 'realtime' ? { prompt: 'Are you there?' } : {}) },
    },
    expected: {
      reason: 'silence_timeout',
      answeredBy: 'unknown',
      turns: [reads(OPENING), ['agent', 'Are you there?', family === 'realtime' ? 'script' : 'model']],
    },
  },
  {
    name: 'a machine that the model finds, after the callee spoke first',
    family,
    persona: 'menu',
    script: { ...SCRIPT, rules: [{ when: /press 1/, tool: { name: 'leave_voicemail', arguments: {} } }] },
    settings: { first_speaker: 'callee', tools: [LEAVE], voicemail: { action: 'leave_message', message: MESSAGE } },
    expected: { reason: 'voicemail_reached', answeredBy: 'voicemail' },
  },
];

export const CONVERSATIONS: readonly Conversation[] = FAMILIES.flatMap(ofBoth);
