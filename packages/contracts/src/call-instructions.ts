import { z } from 'zod';
import { callIdSchema } from './ids.ts';
import { storableText } from './text.ts';

/** The bounds of instructions to live calls. */
export const INSTRUCTION_LIMITS = {
  textLength: 1_000,
  /** To one call. The model reads them again for every answer. */
  ofCall: 50,
  perMinuteOfCall: 10,
  perMinuteOfAccount: 30,
} as const;

const { textLength } = INSTRUCTION_LIMITS;

export const instructCallSchema = z.strictObject({
  text: storableText
    .trim()
    .min(1, 'must not be empty')
    .max(textLength, `must be at most ${textLength} characters`)
    .describe('What the model is to do from its next answer on. The callee does not hear it.'),
});
export type InstructCallBody = z.output<typeof instructCallSchema>;

export const instructionSchema = z.strictObject({
  call_id: z.guid().describe('The call.'),
  text: z.string().describe('As the model has it.'),
});
export const instructionEnvelopeSchema = z.strictObject({
  instruction: instructionSchema.describe('What the model of the call has taken.'),
});

/**
 * What the worker of a call answers to an instruction. `not_talking`: the call is not answered yet, or has no answer left to give.
 * `too_many`: the model has as many as it may have.
 */
export const INSTRUCTION_OUTCOMES = ['taken', 'not_talking', 'scripted', 'too_many'] as const;
export type InstructionOutcome = (typeof INSTRUCTION_OUTCOMES)[number];

const messageSchema = z.strictObject({
  id: z.guid(),
  /** Who waits for the answer. */
  sender: z.guid(),
  callId: callIdSchema,
  text: z.string(),
});
/** To the workers: the one that has the call answers. */
export type InstructionMessage = z.output<typeof messageSchema>;

const answerSchema = z.strictObject({ id: z.guid(), outcome: z.enum(INSTRUCTION_OUTCOMES) });
/** To the sender of the instruction of this id. */
export type InstructionAnswer = z.output<typeof answerSchema>;

/** Null for a text of any other form. */
export const parseInstruction = (text: string): InstructionMessage | null => parsed(messageSchema, text);
export const parseInstructionAnswer = (text: string): InstructionAnswer | null => parsed(answerSchema, text);

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
