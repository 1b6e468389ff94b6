import { z } from 'zod';
import { conductedShape, type TextRules } from './conducted.ts';
import { llmSchema } from './llm.ts';
import { credentialName, modelName } from './model-name.ts';

const keywords = z.array(z.string().min(1).max(100)).max(100).default([]);

const stt = z.strictObject({
  provider: z.literal('deepgram'),
  model: modelName.default('flux-general-en'),
  credential: credentialName.optional(),
  keywords,
  options: z
    .strictObject({
      /** Flux: how sure it is that a turn is over. */
      eot_threshold: z.number().min(0.5).max(0.9).optional(),
      /** Flux: from this certainty on, the LLM begins early. */
      eager_eot_threshold: z.number().min(0.3).max(0.9).optional(),
      eot_timeout_ms: z.int().min(500).max(10_000).optional(),
      /** Nova: the silence that ends a turn. */
      endpointing_ms: z.int().min(10).max(5_000).optional(),
    })
    .prefault({}),
});
export type SttChoice = z.output<typeof stt>;

/** The bounds of all providers. `settingsProblems` has those of each. */
const speed = z.number().min(0.5).max(1.5).optional();
const elevenlabs = z.strictObject({
  provider: z.literal('elevenlabs'),
  model: modelName.default('eleven_flash_v2_5'),
  voice: z.string().regex(/^[A-Za-z0-9]{10,40}$/, 'must be the id of an ElevenLabs voice'),
  credential: credentialName.optional(),
  speed,
  options: z
    .strictObject({
      stability: z.number().min(0).max(1).optional(),
      similarity_boost: z.number().min(0).max(1).optional(),
    })
    .prefault({}),
});
const cartesia = z.strictObject({
  provider: z.literal('cartesia'),
  model: modelName.default('sonic-3'),
  voice: z.guid('must be the id of a Cartesia voice'),
  credential: credentialName.optional(),
  speed,
  options: z.strictObject({}).prefault({}),
});
const deepgram = z.strictObject({
  provider: z.literal('deepgram'),
  /** The family. */
  model: modelName.default('flux'),
  /** The name in the family, such as `haley-en`. */
  voice: z
    .string()
    .regex(/^[a-z]{2,30}-[a-z]{2}$/, 'must be the name of a voice, such as haley-en')
    .default('haley-en'),
  credential: credentialName.optional(),
  speed,
  options: z.strictObject({}).prefault({}),
});

const ttsChoice = z.discriminatedUnion('provider', [elevenlabs, cartesia, deepgram]);
export type TtsChoice = z.output<typeof ttsChoice>;

const fallbacks = { fallbacks: z.array(ttsChoice).max(3).default([]) };
const tts = z.discriminatedUnion('provider', [
  elevenlabs.extend(fallbacks),
  cartesia.extend(fallbacks),
  deepgram.extend(fallbacks),
]);

/** The settings of an agent of three models: speech to text, language, text to speech. */
export function cascadeSchema(rules: TextRules, name: z.ZodString) {
  return z.strictObject({
    driver: z.literal('cascade'),
    ...conductedShape(rules, name),
    stt: z
      .strictObject({ ...stt.shape, fallbacks: z.array(stt).max(3).default([]) })
      .prefault({ provider: 'deepgram' }),
    llm: llmSchema,
    tts,
  });
}

export type CascadeSettings = z.output<ReturnType<typeof cascadeSchema>>;
