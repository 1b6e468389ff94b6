import { z } from 'zod';

/**
 * What the Realtime API accepts, as strict as the real one: an unknown field is an error. Only what a telephone call
 * needs: sound in µ-law, function tools.
 */
export const ulaw = z.strictObject({ type: z.literal('audio/pcmu') });

const turnDetection = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('server_vad'),
    threshold: z.number().min(0).max(1).optional(),
    prefix_padding_ms: z.int().min(0).optional(),
    silence_duration_ms: z.int().min(0).optional(),
    idle_timeout_ms: z.int().nullish(),
    create_response: z.boolean().optional(),
    interrupt_response: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('semantic_vad'),
    eagerness: z.enum(['low', 'medium', 'high', 'auto']).optional(),
    create_response: z.boolean().optional(),
    interrupt_response: z.boolean().optional(),
  }),
]);

const tool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

const maxOutputTokens = z.union([z.int().min(1).max(4_096), z.literal('inf')]);

export const sessionSchema = z.strictObject({
  type: z.literal('realtime'),
  output_modalities: z
    .array(z.enum(['audio', 'text']))
    .length(1)
    .optional(),
  instructions: z.string().optional(),
  max_output_tokens: maxOutputTokens.optional(),
  truncation: z
    .union([
      z.enum(['auto', 'disabled']),
      z.strictObject({
        type: z.literal('retention_ratio'),
        retention_ratio: z.number().min(0).max(1),
        token_limits: z.strictObject({ post_instructions: z.int().min(0).optional() }).optional(),
      }),
    ])
    .optional(),
  reasoning: z.strictObject({ effort: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']) }).optional(),
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: ulaw.optional(),
          noise_reduction: z.strictObject({ type: z.enum(['near_field', 'far_field']) }).nullish(),
          transcription: z
            .strictObject({ model: z.string(), language: z.string().optional(), prompt: z.string().optional() })
            .nullish(),
          turn_detection: turnDetection.nullish(),
        })
        .optional(),
      output: z
        .strictObject({ format: ulaw.optional(), voice: z.string().optional(), speed: z.number().optional() })
        .optional(),
    })
    .optional(),
  tools: z.array(tool).optional(),
  tool_choice: z.enum(['auto', 'none', 'required']).optional(),
});

const message = { type: z.literal('message'), id: z.string().optional() };
const inputText = z.array(z.strictObject({ type: z.literal('input_text'), text: z.string() }));
const outputText = z.array(z.strictObject({ type: z.literal('output_text'), text: z.string() }));

const item = z.union([
  z.strictObject({ ...message, role: z.literal('user'), content: inputText }),
  z.strictObject({ ...message, role: z.literal('system'), content: inputText }),
  z.strictObject({ ...message, role: z.literal('assistant'), content: outputText }),
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    id: z.string().optional(),
    call_id: z.string(),
    output: z.string(),
  }),
]);

export const event = <Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  z.strictObject({ event_id: z.string().optional(), type: z.literal(type), ...shape });

export const clientEventSchema = z.discriminatedUnion('type', [
  event('session.update', { session: sessionSchema }),
  event('input_audio_buffer.append', { audio: z.string() }),
  event('input_audio_buffer.clear', {}),
  event('input_audio_buffer.commit', {}),
  event('conversation.item.create', { previous_item_id: z.string().nullish(), item }),
  event('conversation.item.delete', { item_id: z.string() }),
  event('conversation.item.truncate', {
    item_id: z.string(),
    content_index: z.literal(0),
    audio_end_ms: z.int().min(0),
  }),
  event('response.create', {
    response: z
      .strictObject({
        instructions: z.string().optional(),
        conversation: z.enum(['auto', 'none']).optional(),
        max_output_tokens: maxOutputTokens.optional(),
        metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
        output_modalities: z
          .array(z.enum(['audio', 'text']))
          .length(1)
          .optional(),
        tools: z.array(tool).optional(),
        tool_choice: z.enum(['auto', 'none', 'required']).optional(),
      })
      .optional(),
  }),
  event('response.cancel', { response_id: z.string().optional() }),
]);

export type ClientEvent = z.output<typeof clientEventSchema>;
export type Session = z.output<typeof sessionSchema>;
export type NewItem = z.output<typeof item>;
