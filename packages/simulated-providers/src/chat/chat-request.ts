import { z } from 'zod';
import type { Prompt } from '../script.ts';

const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const text = z.union([
  z.string(),
  z
    .array(z.strictObject({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map((part) => part.text).join('')),
]);

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: text }),
  z.strictObject({ role: z.literal('user'), content: text }),
  z.strictObject({
    role: z.literal('assistant'),
    content: text.nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: text }),
]);

const maxTokens = z.int().min(1).optional();

const answerFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
      strict: z.literal(true),
      schema: z.looseObject({ additionalProperties: z.literal(false), required: z.array(z.string()) }),
    }),
  }),
]);

const chatRequestFields = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  response_format: answerFormat.optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(['auto', 'none', 'required']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: maxTokens,
  max_completion_tokens: maxTokens,
  reasoning_effort: z.string().optional(),
});

/** What chat completions accept, as strict as the real ones: an unknown field is an error. */
export const chatRequestSchema = chatRequestFields.refine(
  ({ stream, stream_options: options }) => stream === true || options === undefined,
  { path: ['stream_options'], error: 'is only allowed when stream is enabled' },
);

export type ChatRequest = z.output<typeof chatRequestSchema>;
type ChatMessage = ChatRequest['messages'][number];

/** A call without a result, or a result that does not follow its call. */
export function toolProblem(messages: readonly ChatMessage[]): string | null {
  let waiting = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.tool_call_id)) {
        return "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      }
    } else if (waiting.size > 0) {
      break;
    } else if (message.role === 'assistant') {
      waiting = new Set(message.tool_calls?.map(({ id }) => id));
    }
  }
  return waiting.size === 0 ? null : `No response to the tool calls ${[...waiting].join(', ')}.`;
}

/** What the model is to do, by its first message. */
export function instructionsOf([first]: readonly ChatMessage[]): string {
  return first?.role === 'system' || first?.role === 'developer' ? first.content : '';
}

/** What the model answers to. */
export function promptOf(messages: readonly ChatMessage[]): Prompt {
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
    const name = calls.find(({ id }) => id === last.tool_call_id)?.function.name ?? '';
    return { kind: 'tool_result', name, output: last.content };
  }
  // An answer that broke off goes on, and one after silence begins.
  const words = messages.findLast(({ role }) => role === 'user');
  return words?.role === 'user' && words.content !== '[silence]'
    ? { kind: 'callee', text: words.content }
    : { kind: 'none' };
}
