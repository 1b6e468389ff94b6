import type { Role, Script } from '@outdial/simulated-providers';
import { z } from 'zod';

const reply = {
  say: z.string().min(1).optional(),
  tool: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }).optional(),
  delay_ms: z.int().min(0).max(60_000).optional(),
};

const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source, 'i');
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a regular expression' });
    return z.NEVER;
  }
});

const answers = {
  opening: z.strictObject(reply),
  rules: z.array(z.strictObject({ when: pattern, ...reply })).max(200),
  otherwise: z.strictObject(reply),
};

const scriptSchema = z.strictObject({
  ...answers,
  roles: z
    .array(z.strictObject({ instructions: pattern, ...answers }))
    .max(20)
    .optional(),
});

type WrittenAnswers = Omit<z.output<typeof scriptSchema>, 'roles'>;
type WrittenReply = WrittenAnswers['opening'];

function replyOf({ say, tool, delay_ms: delayMs }: WrittenReply) {
  return {
    ...(say === undefined ? {} : { say }),
    ...(tool === undefined ? {} : { tool }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

/**
 * Reads a script: `{opening, rules: [{when, say?, tool?, delay_ms?}], otherwise, roles?}`. `when` is a regular expression that is
 * matched against the callee's words or the result of a tool; the first rule that matches answers. A role is
 * `{instructions, opening, rules, otherwise}`: it answers requests whose instructions match, such as those of a simulated callee
 * or of a judge.
 *
 * @throws SyntaxError, ZodError
 */
export function parseScript(json: string): Script {
  const { roles, ...script } = scriptSchema.parse(JSON.parse(json));
  if (roles === undefined) return answersOf(script);
  return {
    ...answersOf(script),
    roles: roles.map(({ instructions, ...role }) => ({ instructions, ...answersOf(role) })),
  };
}

function answersOf({ opening, rules, otherwise }: WrittenAnswers): Omit<Script, 'roles'> {
  return {
    opening: replyOf(opening),
    rules: rules.map(({ when, ...rule }) => ({ when, ...replyOf(rule) })),
    otherwise: replyOf(otherwise),
  };
}

const endCall = { name: 'end_call', arguments: { reason: 'The callee agreed.' } };
const optOut = { name: 'opt_out', arguments: { reason: 'The callee wants no more calls.' } };
const lookUp = { name: 'find_free_slots', arguments: { day: 'tomorrow' } };

/** A callee who keeps the appointment, and asks one thing on the way. */
const PATIENT: Role = {
  instructions: /^You play a person who is called/,
  opening: { say: 'Hello?' },
  rules: [
    { when: /anything else|goodbye/i, say: 'No, goodbye.', tool: { name: 'hang_up', arguments: {} } },
    { when: /speaking with the patient/i, say: 'Yes, speaking.' },
    { when: /suit you/i, say: 'Okay, that is fine.' },
  ],
  otherwise: { say: 'Could you say that again?' },
};

const verdict = (value: boolean, reason: string) => ({ say: JSON.stringify({ success: { reason, value } }) });

/** An agent that connects its callee with a colleague, by the tool `transfer`. */
const CONNECTS: Role = {
  instructions: /You connect patients with the reception/,
  opening: { say: 'Hello, this is Riverside Dental. Am I speaking with the patient?' },
  rules: [
    { when: /not transferred/i, tool: endCall },
    { when: /./, tool: { name: 'transfer', arguments: { destination: 'Reception' } } },
  ],
  otherwise: { say: 'I will connect you.' },
};

/** Judges whether the callee agreed to the appointment. */
const JUDGE: Role = {
  instructions: /^You analyze telephone calls/,
  opening: verdict(false, 'The transcript is empty.'),
  rules: [{ when: /that is fine/i, ...verdict(true, 'The callee agreed to the appointment.') }],
  otherwise: verdict(false, 'The callee did not agree to the appointment.'),
};

/**
 * The model of the demo: it confirms an appointment with a free slot that it looks up, answers objections, gets through a
 * menu, says goodbye, and opts out a callee who wants no more calls.
 */
export const DEMO_SCRIPT: Script = {
  opening: { say: 'Hello, this is Riverside Dental. Am I speaking with the patient?' },
  rules: [
    { when: /stop calling|off your list/i, tool: optOut },
    { when: /"free_slots"/, say: 'Your appointment is tomorrow at ten in the morning. Does that suit you?' },
    { when: /goodbye|thank you\.$/i, tool: endCall },
    { when: /press 1/i, tool: { name: 'press_digits', arguments: { digits: '1' } } },
    { when: /question/i, say: 'Of course. What would you like to know?' },
    // Says nothing: the callee is away, or the menu has the word.
    { when: /one moment|^pressed/i },
    { when: /i am back/i, say: 'Thank you. Am I speaking with the patient?' },
    { when: /how can i help|^hello/i, say: 'I am calling about an appointment. Am I speaking with the patient?' },
    { when: /speaking/i, tool: lookUp },
    { when: /okay|fine/i, say: 'Wonderful. Please bring your insurance card. Is there anything else?' },
  ],
  otherwise: { say: 'Could you say that again, please?' },
  roles: [PATIENT, JUDGE, CONNECTS],
};
