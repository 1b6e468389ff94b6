import { z } from 'zod';

/**
 * The events of GPT-Live that the driver acts on, reduced to what it reads. Others, and other fields, are ignored: the provider
 * adds them at any time.
 *
 * Source: https://developers.openai.com/api/reference/resources/live
 */
const transcript = { delta: z.string() };
const seconds = z.object({ seconds: z.number().min(0) });

const delegatedUsage = z.object({
  input_tokens: z.int().min(0).default(0),
  input_tokens_details: z.object({ cached_tokens: z.int().min(0).default(0) }).nullish(),
  output_tokens: z.int().min(0).default(0),
});

/** An event of the model that the delegated work is done by. */
const delegatedEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response.created'), response: z.object({ id: z.string() }) }),
  z.object({
    type: z.literal('response.output_item.done'),
    item: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('function_call'),
        call_id: z.string(),
        name: z.string(),
        arguments: z.string(),
      }),
    ]),
  }),
  z.object({
    type: z.enum(['response.completed', 'response.incomplete', 'response.failed']),
    response: z.object({ id: z.string(), usage: delegatedUsage.nullish() }),
  }),
]);

const serverEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.started'), session: z.object({ expires_at: z.number().optional() }) }),
  z.object({ type: z.literal('session.output_audio.delta'), delta: z.string() }),
  z.object({ type: z.literal('session.output_transcript.delta'), ...transcript }),
  z.object({ type: z.literal('session.input_transcript.delta'), ...transcript }),
  z.object({ type: z.literal('response.event'), event: z.looseObject({ type: z.string() }) }),
  z.object({ type: z.literal('session.usage.updated'), usage: seconds }),
  z.object({ type: z.literal('session.closed'), reason: z.string().default(''), usage: seconds.optional() }),
  z.object({
    type: z.literal('error'),
    error: z.object({
      type: z.string().default(''),
      code: z.string().nullish(),
      message: z.string().default(''),
      client_event_id: z.string().nullish(),
    }),
  }),
]);

export type ServerEvent = z.output<typeof serverEvent>;
export type DelegatedEvent = z.output<typeof delegatedEvent>;
export type DelegatedUsage = z.output<typeof delegatedUsage>;

export type Parsed<Event> =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid'; readonly problem: string };

export function parseServerEvent(text: string): Parsed<ServerEvent> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', problem: 'a message was not JSON' };
  }
  return parsed(serverEvent, value);
}

export const parseDelegatedEvent = (value: unknown): Parsed<DelegatedEvent> => parsed(delegatedEvent, value);

/** What no member of the union names is unknown; a member with other fields than it should have is invalid. */
function parsed<Event>(schema: z.ZodType<Event>, value: unknown): Parsed<Event> {
  const result = schema.safeParse(value);
  if (result.success) return { kind: 'event', event: result.data };
  const [issue] = result.error.issues;
  if (issue?.code === 'invalid_union' && typeof value === 'object' && value !== null && 'type' in value) {
    return { kind: 'unknown' };
  }
  return { kind: 'invalid', problem: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
}
