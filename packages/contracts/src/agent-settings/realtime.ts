import { z } from 'zod';
import { conductedShape, type TextRules } from './conducted.ts';
import { credentialName, modelName } from './model-name.ts';

export const OPENAI_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'marin',
  'sage',
  'shimmer',
  'verse',
] as const;

const turnDetection = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('server_vad'),
    threshold: z.number().min(0).max(1).default(0.5),
    prefix_padding_ms: z.int().min(0).max(2_000).default(300),
    silence_duration_ms: z.int().min(100).max(5_000).default(500),
  }),
  z.strictObject({
    type: z.literal('semantic_vad'),
    eagerness: z.enum(['low', 'medium', 'high', 'auto']).default('auto'),
  }),
]);

const realtimeModel = z.strictObject({
  provider: z.literal('openai'),
  model: modelName,
  voice: z.enum(OPENAI_VOICES).default('marin'),
  credential: credentialName.optional(),
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  max_output_tokens: z.int().min(64).max(4_096).default(1_024),
  turn_detection: turnDetection.prefault({ type: 'server_vad' }),
  /** Null: the callee's words are not transcribed. */
  transcription: z
    .strictObject({ model: modelName, keywords: z.array(z.string().min(1).max(100)).max(100).default([]) })
    .nullable()
    .default({ model: 'gpt-4o-mini-transcribe', keywords: [] }),
});
export type RealtimeModel = z.output<typeof realtimeModel>;

/** The settings of an agent that a speech-to-speech model conducts. */
export function realtimeSchema(rules: TextRules, name: z.ZodString) {
  return z.strictObject({
    driver: z.literal('realtime'),
    ...conductedShape(rules, name),
    model: z.strictObject({ ...realtimeModel.shape, fallbacks: z.array(realtimeModel).max(3).default([]) }),
  });
}

export type RealtimeSettings = z.output<ReturnType<typeof realtimeSchema>>;
