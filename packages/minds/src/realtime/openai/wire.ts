import { z } from 'zod';

/**
 * The events of OpenAI's Realtime API that the driver acts on, in all its dialects, reduced to what it reads. Unknown events
 * and fields are ignored: providers add them at any time.
 *
 * Source: https://platform.openai.com/docs/api-reference/realtime-server-events
 */
const count = z.int().min(0).default(0);

const tokenDetails = z
  .object({
    text_tokens: count,
    audio_tokens: count,
    cached_tokens_details: z.object({ text_tokens: count, audio_tokens: count }).nullish(),
  })
  .nullish();

const usage = z.object({
  input_token_details: tokenDetails,
  output_token_details: z.object({ text_tokens: count, audio_tokens: count }).nullish(),
});

const outputItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), id: z.string() }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
]);

const transcriptionUsage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('tokens'),
    input_tokens: count,
    output_tokens: count,
    input_token_details: z.object({ text_tokens: count, audio_tokens: count }).nullish(),
  }),
  z.object({ type: z.literal('duration'), seconds: z.number().min(0) }),
]);

const itemId = z.string().min(1);
/** Of the response that a part belongs to. */
const responseId = z.string().optional();
/** From the first sound that was sent. xAI does not say. */
const sentMs = z.number().optional();

/** What is left of one limit of the project. A shape that is not known says nothing. */
const rateLimit = z.object({ limit: z.number().positive(), remaining: z.number().min(0) });

export const serverEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.created') }),
  z.object({ type: z.literal('session.updated') }),
  z.object({
    type: z.literal('error'),
    error: z.object({
      message: z.string(),
      type: z.string().default(''),
      code: z.string().nullish(),
      /** Of the event that it is about, if we gave it one. */
      event_id: z.string().nullish(),
    }),
  }),
  z.object({ type: z.literal('rate_limits.updated'), rate_limits: z.array(rateLimit).catch([]) }),
  z.object({ type: z.literal('input_audio_buffer.speech_started'), item_id: itemId, audio_start_ms: sentMs }),
  z.object({ type: z.literal('input_audio_buffer.speech_stopped'), item_id: itemId, audio_end_ms: sentMs }),
  z.object({ type: z.literal('input_audio_buffer.committed'), item_id: itemId }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    item_id: itemId,
    transcript: z.string(),
    usage: transcriptionUsage.nullish(),
  }),
  // Of xAI: all words of a turn so far.
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.updated'),
    item_id: itemId,
    transcript: z.string(),
  }),
  z.object({ type: z.literal('conversation.item.input_audio_transcription.failed'), item_id: itemId }),
  z.object({
    type: z.literal('response.created'),
    response: z.object({ id: z.string(), metadata: z.record(z.string(), z.string()).nullish().catch(null) }),
  }),
  z.object({
    type: z.literal('response.output_audio.delta'),
    response_id: responseId,
    item_id: itemId,
    delta: z.string(),
  }),
  z.object({
    type: z.literal('response.output_audio_transcript.delta'),
    response_id: responseId,
    item_id: itemId,
    delta: z.string(),
  }),
  z.object({
    type: z.literal('response.output_text.delta'),
    response_id: responseId,
    item_id: itemId,
    delta: z.string(),
  }),
  z.object({ type: z.literal('response.output_audio.done'), response_id: responseId, item_id: itemId }),
  // Items of other types, such as MCP calls, are of no use here.
  z.object({
    type: z.literal('response.output_item.done'),
    response_id: responseId,
    item: outputItem.catch({ type: 'message', id: '' }),
  }),
  z.object({
    type: z.literal('response.done'),
    response: z.object({
      id: z.string(),
      status: z.enum(['completed', 'cancelled', 'failed', 'incomplete']),
      status_details: z
        .object({
          error: z
            .object({
              code: z.string().nullish(),
              type: z.string().nullish(),
              /** Undocumented: of a rate it says when to try again. */
              message: z.string().nullish().catch(null),
            })
            .nullish(),
        })
        .nullish()
        // xAI sends a word here.
        .catch(null),
      usage: usage.nullish(),
    }),
  }),
]);

export type ServerEvent = z.output<typeof serverEventSchema>;
/** What the provider hears of the callee. */
export type HeardEvent = Extract<
  ServerEvent,
  { readonly type: `input_audio_buffer.${string}` | `conversation.item.input_audio_transcription.${string}` }
>;
export const isHeardEvent = (event: ServerEvent): event is HeardEvent =>
  event.type.startsWith('input_audio_buffer.') || event.type.startsWith('conversation.item.');

/** A part of an answer, which the callee may not hear any more. */
export type AnswerPart = Extract<ServerEvent, { readonly type: `response.output_${string}` }>;
export const isAnswerPart = (event: ServerEvent): event is AnswerPart => event.type.startsWith('response.output_');

/** Less than a tenth is left of what the provider allows in a minute. */
export function isNearLimit(event: Extract<ServerEvent, { readonly type: 'rate_limits.updated' }>): boolean {
  return event.rate_limits.some(({ limit, remaining }) => remaining < limit / 10);
}

export type ResponseUsage = z.output<typeof usage>;
export type TranscriptionUsage = z.output<typeof transcriptionUsage>;

const KNOWN = new Set<string>(serverEventSchema.options.map((option) => option.shape.type.value));
const typed = z.object({ type: z.string() });

/** `unknown`: an event that the driver has no use for. `invalid`: not an event, or one that lacks what it must have. */
export type ParsedEvent =
  | ServerEvent
  | { readonly type: 'unknown' }
  | { readonly type: 'invalid'; readonly message: string };

export function parseServerEvent(text: string): ParsedEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { type: 'invalid', message: 'a message was not JSON' };
  }
  const named = typed.safeParse(value);
  if (!named.success) return { type: 'invalid', message: 'a message had no type' };
  if (!KNOWN.has(named.data.type)) return { type: 'unknown' };
  const event = serverEventSchema.safeParse(value);
  if (event.success) return event.data;
  const [issue] = event.error.issues;
  return { type: 'invalid', message: `${named.data.type}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
}
