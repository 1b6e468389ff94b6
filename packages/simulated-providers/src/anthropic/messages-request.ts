import { z } from 'zod';
import type { Prompt } from '../script.ts';

const words = z.string().regex(/\S/, 'text content blocks must contain non-whitespace text');
const textBlock = z.strictObject({ type: z.literal('text'), text: words });
const joined = (blocks: readonly { readonly text: string }[]): string => blocks.map(({ text }) => text).join('');
const toolId = z.string().regex(/^[a-zA-Z0-9_-]+$/);

const block = z.discriminatedUnion('type', [
  textBlock,
  z.strictObject({
    type: z.literal('tool_use'),
    id: toolId,
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: toolId,
    content: z.union([z.string(), z.array(textBlock).transform(joined)]).optional(),
    is_error: z.boolean().optional(),
  }),
]);
type Block = z.output<typeof block>;

const content = z.union([words.transform((text): Block[] => [{ type: 'text', text }]), z.array(block).min(1)]);

/**
 * What Messages accept, as strict as the real API: an unknown field is an error. Only streams. Fields for the cache are
 * not there, so nothing is cached: a request has to ask for it.
 */
export const messagesRequestSchema = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content })).min(1),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  stream: z.literal(true),
  temperature: z.number().min(0).max(1).optional(),
  stop_sequences: z.array(z.string()).optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        eager_input_streaming: z.boolean().optional(),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.strictObject({ type: z.enum(['auto', 'any', 'none']) }).optional(),
});

export type MessagesRequest = z.output<typeof messagesRequestSchema>;
type Message = MessagesRequest['messages'][number];

/** What is wrong with the order of the messages. Null: nothing. */
export function orderProblem(messages: readonly Message[]): string | null {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.role !== 'user') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  let waiting: readonly string[] = [];
  for (const message of messages) {
    const results = message.content.flatMap((one) => (one.type === 'tool_result' ? [one.tool_use_id] : []));
    const missing = waiting.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      return `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}.`;
    }
    if (results.some((id) => !waiting.includes(id))) {
      return 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
    }
    // Results come before all other content.
    if (message.content.slice(0, results.length).some(({ type }) => type !== 'tool_result')) {
      return '`tool_result` blocks must come first in a message';
    }
    waiting = message.content.flatMap((one) => (one.type === 'tool_use' ? [one.id] : []));
    if (message.role === 'user' && waiting.length > 0) return '`tool_use` blocks can only be in `assistant` messages';
  }
  return null;
}

/** What the model answers to: a result, else the callee's last words. */
export function promptOf(messages: readonly Message[]): Prompt {
  const blocks = messages.flatMap((message) => message.content.map((one) => ({ role: message.role, one })));
  const last = blocks.at(-1)?.one;
  if (last?.type === 'tool_result') {
    const call = blocks.find(({ one }) => one.type === 'tool_use' && one.id === last.tool_use_id)?.one;
    return { kind: 'tool_result', name: call?.type === 'tool_use' ? call.name : '', output: last.content ?? '' };
  }
  const spoken = blocks.flatMap(({ role, one }) => (role === 'user' && one.type === 'text' ? [one.text] : []));
  const text = spoken.findLast((one) => one !== '[silence]');
  return text === undefined ? { kind: 'none' } : { kind: 'callee', text };
}
