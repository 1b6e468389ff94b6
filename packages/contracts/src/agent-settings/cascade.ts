import { z } from 'zod';
import { conductedShape, type TextRules } from './conducted.ts';
import { llmSchema } from './llm.ts';
import { credentialName, modelName } from './model-name.ts';

const keywords = z.array(z.string().min(1).max(100)).max(100).default([]);

/** Of sentences that the ear of this product ends. It notices a pause after 200 ms. */
const silenceMs = z.int().min(200).max(5_000).optional();
const deepgramStt = z.strictObject({
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
const localStt = z.strictObject({
  provider: z.literal('local'),
  model: modelName,
  credential: credentialName.optional(),
  keywords,
  options: z
    .strictObject({
      /** The silence that ends a turn. */
      endpointing_ms: silenceMs,
      /** A shorter silence, after which the turn is transcribed in advance. */
      eager_endpointing_ms: silenceMs,
    })
    .prefault({}),
});

const sttChoice = z.discriminatedUnion('provider', [deepgramStt, localStt]);
export type SttChoice = z.output<typeof sttChoice>;

const sttFallbacks = { fallbacks: z.array(sttChoice).max(3).default([]) };
const stt = z.discriminatedUnion('provider', [deepgramStt.extend(sttFallbacks), localStt.extend(sttFallbacks)]);

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

const local = z.strictObject({
  provider: z.literal('local'),
  model: modelName,
  voice: z.string().trim().min(1, 'must not be empty').max(200),
  credential: credentialName.optional(),
  speed,
  options: z
    .strictObject({
      format: z.enum(['pcm', 'wav']).default('pcm'),
      /** Of `pcm`, which does not name it: 24,000 unless the server differs. */
      sample_rate: z.int().min(8_000).max(48_000).optional(),
    })
    .prefault({}),
});

const ttsChoice = z.discriminatedUnion('provider', [elevenlabs, cartesia, deepgram, local]);
export type TtsChoice = z.output<typeof ttsChoice>;

const fallbacks = { fallbacks: z.array(ttsChoice).max(3).default([]) };
const tts = z.discriminatedUnion('provider', [
  elevenlabs.extend(fallbacks),
  cartesia.extend(fallbacks),
  deepgram.extend(fallbacks),
  local.extend(fallbacks),
]);

/** The settings of an agent of three models: speech to text, language, text to speech. */
export function cascadeSchema(rules: TextRules, name: z.ZodString) {
  return z.strictObject({
    driver: z.literal('cascade'),
    ...conductedShape(rules, name),
    stt: stt.prefault({ provider: 'deepgram' }),
    llm: llmSchema,
    tts,
  });
}

export type CascadeSettings = z.output<ReturnType<typeof cascadeSchema>>;
