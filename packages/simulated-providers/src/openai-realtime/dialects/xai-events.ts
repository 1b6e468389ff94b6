import { z } from 'zod';
import { clientEventSchema, event, ulaw, type ClientEvent, type Session } from '../client-events.ts';

/** Source: https://docs.x.ai/developers/model-capabilities/audio/voice-agent */
const session = z.strictObject({
  instructions: z.string().optional(),
  voice: z.string().optional(),
  reasoning: z.strictObject({ effort: z.enum(['none', 'high']) }).optional(),
  turn_detection: z
    .strictObject({
      type: z.literal('server_vad'),
      threshold: z.number().min(0.1).max(0.9).optional(),
      silence_duration_ms: z.int().min(0).max(10_000).optional(),
      prefix_padding_ms: z.int().min(0).max(10_000).optional(),
      // Accepted, and not heeded.
      create_response: z.boolean().optional(),
      interrupt_response: z.boolean().optional(),
    })
    .nullish(),
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: ulaw.optional(),
          transcription: z
            .strictObject({
              model: z.literal('grok-transcribe').optional(),
              language_hint: z.string().optional(),
              keyterms: z.array(z.string().max(50)).max(100).optional(),
            })
            .nullish(),
        })
        .optional(),
      output: z.strictObject({ format: ulaw.optional(), speed: z.number().min(0.7).max(1.5).optional() }).optional(),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: z.string(),
        description: z.string().optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
});

/** As the session of OpenAI has it. */
function sessionOf({
  instructions,
  voice,
  turn_detection: detection,
  audio,
  tools,
}: z.output<typeof session>): Session {
  const { transcription } = audio?.input ?? {};
  const turnDetection =
    detection === undefined || detection === null
      ? detection
      : { type: detection.type, silence_duration_ms: detection.silence_duration_ms };
  return {
    type: 'realtime',
    ...(instructions === undefined ? {} : { instructions }),
    ...(tools === undefined ? {} : { tools }),
    audio: {
      input: {
        ...(turnDetection === undefined ? {} : { turn_detection: turnDetection }),
        ...(transcription === undefined ? {} : { transcription: transcription && { model: 'grok-transcribe' } }),
      },
      ...(voice === undefined ? {} : { output: { voice } }),
    },
  };
}

const own = z.discriminatedUnion('type', [
  event('session.update', { session: session.transform(sessionOf) }),
  event('response.create', {
    response: z
      .strictObject({
        instructions: z.string().optional(),
        metadata: z.record(z.string(), z.string()).nullish(),
      })
      .optional(),
  }),
]);

const OWN = new Set<string>(own.options.map((option) => option.shape.type.value));
const typed = z.object({ type: z.string() });

/** The conversation has two sides; instructions belong to the session. */
const isOfSystem = (sent: ClientEvent): boolean =>
  sent.type === 'conversation.item.create' && sent.item.type === 'message' && sent.item.role === 'system';

/** Its own shapes of events, and OpenAI's of the others. */
export const xaiClientEvents: z.ZodType<ClientEvent> = z.unknown().transform((value, context): ClientEvent => {
  const { data } = typed.safeParse(value);
  const schema = data !== undefined && OWN.has(data.type) ? own : clientEventSchema;
  const parsed = schema.safeParse(value);
  if (parsed.success && !isOfSystem(parsed.data)) return parsed.data;
  if (parsed.success) {
    const message = 'must be user or assistant';
    context.issues.push({ code: 'custom', path: ['item', 'role'], message, input: value });
    return z.NEVER;
  }
  for (const { code, path, message } of parsed.error.issues) {
    context.issues.push({ code: 'custom', path: [...path], message: `${code}: ${message}`, input: value });
  }
  return z.NEVER;
});
