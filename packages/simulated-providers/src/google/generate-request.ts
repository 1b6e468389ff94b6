import { z } from 'zod';
import type { Prompt } from '../script.ts';

const object = z.record(z.string(), z.unknown());
const text = z.strictObject({ text: z.string().min(1) });
const functionCall = z.strictObject({
  functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: object.optional() }),
  thoughtSignature: z.string().optional(),
});
const functionResponse = z.strictObject({
  functionResponse: z.strictObject({ id: z.string().optional(), name: z.string(), response: object }),
});
const part = z.union([text, functionCall, functionResponse]);
const content = z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(part).min(1) });

/** A part of OpenAPI 3.0: `additionalProperties` and others of JSON Schema are refused. */
const schema = z.strictObject({
  type: z.string(),
  format: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  nullable: z.boolean().optional(),
  enum: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  required: z.array(z.string()).optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  pattern: z.string().optional(),
});

export const functionDeclarationSchema = z.strictObject({
  name: z.string().regex(/^[a-zA-Z_][\w.-]{0,63}$/),
  description: z.string(),
  parameters: schema.optional(),
});

/** What `streamGenerateContent` accepts: an unknown field is an error, as in the real API. */
export const generateRequestSchema = z.strictObject({
  contents: z.array(content).min(1),
  systemInstruction: z.strictObject({ parts: z.array(text).min(1) }).optional(),
  generationConfig: z
    .strictObject({
      maxOutputTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(2).optional(),
      thinkingConfig: object.optional(),
    })
    .optional(),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(functionDeclarationSchema).min(1) })).optional(),
});

export type GenerateRequest = z.output<typeof generateRequestSchema>;
type Content = GenerateRequest['contents'][number];

const callsOf = ({ parts }: Content) => parts.filter((one) => 'functionCall' in one);
const responsesOf = ({ parts }: Content) => parts.filter((one) => 'functionResponse' in one);

/** What is wrong with the order of the contents. Null: nothing. */
export function orderProblem(contents: readonly Content[], model: string): string | null {
  if (contents.at(-1)?.role !== 'user') return 'Please ensure that multiturn requests end with a user role.';
  let before: Content | undefined;
  for (const one of contents) {
    const [call] = callsOf(one);
    if (call !== undefined && before?.role !== 'user') {
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    }
    if (call !== undefined && model.startsWith('gemini-3') && call.thoughtSignature === undefined) {
      return 'Function call is missing a thought_signature in functionCall parts.';
    }
    const responses = responsesOf(one).length;
    if (responses !== (before === undefined ? 0 : callsOf(before).length)) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    }
    before = one;
  }
  return contents[0]?.role === 'user' ? null : 'Please ensure that multiturn requests start with a user role.';
}

/** What the model answers to: a result, else the callee's last words. */
export function promptOf(contents: readonly Content[]): Prompt {
  const last = contents.at(-1)?.parts.at(-1);
  if (last !== undefined && 'functionResponse' in last) {
    const { name, response } = last.functionResponse;
    const { content: output = response } = response;
    return { kind: 'tool_result', name, output: typeof output === 'string' ? output : JSON.stringify(output) };
  }
  const spoken = contents.flatMap(({ role, parts }) =>
    role === 'user' ? parts.flatMap((one) => ('text' in one ? [one.text] : [])) : [],
  );
  const words = spoken.findLast((one) => one !== '[silence]');
  return words === undefined ? { kind: 'none' } : { kind: 'callee', text: words };
}
