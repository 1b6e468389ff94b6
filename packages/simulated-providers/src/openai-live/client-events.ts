import { z } from 'zod';

/**
 * What GPT-Live accepts on a primary WebSocket, as strict as the real one: an unknown field is an error. Only what a telephone
 * call needs: sound in µ-law, function tools.
 */
const MAX_MESSAGES = 128;

const message = { type: z.literal('message').optional(), id: z.string().nullish() };
const inputText = z.array(z.strictObject({ type: z.literal('input_text').optional(), text: z.string() })).length(1);
const outputText = z.array(z.strictObject({ type: z.literal('output_text'), text: z.string() })).length(1);
const initialItem = z.discriminatedUnion('role', [
  z.strictObject({ ...message, role: z.literal('developer'), content: inputText }),
  z.strictObject({ ...message, role: z.literal('user'), content: inputText }),
  z.strictObject({ ...message, role: z.literal('assistant'), content: outputText }),
]);

const responses = z.strictObject({
  model: z.string().min(1),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z
    .strictObject({ effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish() })
    .nullish(),
  tool_choice: z.enum(['auto', 'none', 'required']).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().nullish(),
        parameters: z.record(z.string(), z.unknown()).nullish(),
        strict: z.boolean().nullish(),
      }),
    )
    .optional(),
});

const delegation = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('client'), acknowledgement_delay_ms: z.int().min(0).optional() }),
  z.strictObject({ type: z.literal('responses'), responses, acknowledgement_delay_ms: z.int().min(0).optional() }),
]);

const session = z.strictObject({
  model: z.string().min(1),
  instructions: z.string().nullish(),
  audio: z
    .strictObject({
      format: z.strictObject({ type: z.literal('audio/pcmu'), rate: z.literal(8_000) }),
      output: z.strictObject({ voice: z.string().min(1) }).optional(),
    })
    .optional(),
  delegation: delegation.nullish(),
  input: z.array(initialItem).max(MAX_MESSAGES).optional(),
  safety_identifier: z.string().nullish(),
  store: z.boolean().optional(),
});

const event = <Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  z.strictObject({ event_id: z.string().nullish(), type: z.literal(type), ...shape });
const context = { content: z.string().min(1), delegation_id: z.string().nullable() };

export const clientEventSchema = z.discriminatedUnion('type', [
  event('session.start', { session }),
  event('session.update', { session: z.strictObject({ delegation: delegation.nullish() }) }),
  event('session.input_audio.append', { audio: z.base64() }),
  event('session.input_audio.mute', {}),
  event('session.input_audio.unmute', {}),
  event('session.instructions.append', context),
  event('session.thinking.append', context),
  event('session.commentary.append', context),
  event('response.item.create', {
    item: z.strictObject({ type: z.literal('function_call_output'), call_id: z.string(), output: z.string() }),
  }),
  event('response.create', {}),
  event('session.close', {}),
]);

export type ClientEvent = z.output<typeof clientEventSchema>;
export type LiveSettings = z.output<typeof session>;
export type ContextEvent = Extract<ClientEvent, { readonly content: string }>;
