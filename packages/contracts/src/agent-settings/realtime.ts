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

/** Source: https://developers.openai.com/api/reference/resources/live */
export const OPENAI_LIVE_VOICES = [
  ...OPENAI_VOICES,
  'beacon',
  'bossa',
  'cinder',
  'delta',
  'gleam',
  'meridian',
  'quartz',
  'ripple',
  'shida',
  'stone',
  'tempo',
  'vesper',
  'willow',
] as const;

/** Source: https://docs.x.ai/developers/model-capabilities/audio/voice-agent. xAI speaks in another for a name that it does not know. */
export const XAI_VOICES = [
  'altair',
  'ara',
  'atlas',
  'aurora',
  'carina',
  'castor',
  'celeste',
  'cosmo',
  'eve',
  'helios',
  'helix',
  'iris',
  'kepler',
  'leo',
  'liora',
  'lumen',
  'luna',
  'lux',
  'naksh',
  'orion',
  'perseus',
  'rex',
  'rigel',
  'sal',
  'sirius',
  'ursa',
  'zagan',
  'zenith',
] as const;

/** Source: https://ai.google.dev/gemini-api/docs/speech-generation#voices */
export const GOOGLE_VOICES = [
  'Achernar',
  'Achird',
  'Algenib',
  'Algieba',
  'Alnilam',
  'Aoede',
  'Autonoe',
  'Callirrhoe',
  'Charon',
  'Despina',
  'Enceladus',
  'Erinome',
  'Fenrir',
  'Gacrux',
  'Iapetus',
  'Kore',
  'Laomedeia',
  'Leda',
  'Orus',
  'Puck',
  'Pulcherrima',
  'Rasalgethi',
  'Sadachbia',
  'Sadaltager',
  'Schedar',
  'Sulafat',
  'Umbriel',
  'Vindemiatrix',
  'Zephyr',
  'Zubenelgenubi',
] as const;

const silenceMs = z.int().min(100).max(5_000).default(500);
const turnDetection = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('server_vad'),
    threshold: z.number().min(0).max(1).default(0.5),
    prefix_padding_ms: z.int().min(0).max(2_000).default(300),
    silence_duration_ms: silenceMs,
  }),
  z.strictObject({
    type: z.literal('semantic_vad'),
    eagerness: z.enum(['low', 'medium', 'high', 'auto']).default('auto'),
  }),
]);

const transcription = z.strictObject({
  model: modelName,
  keywords: z.array(z.string().min(1).max(100)).max(100).default([]),
});

/** How far the callee's microphone is. Source: https://platform.openai.com/docs/api-reference/realtime-client-events/session/update */
export const NOISE_REDUCTIONS = ['near_field', 'far_field'] as const;

const openai = z.strictObject({
  provider: z.literal('openai'),
  model: modelName,
  voice: z.enum(OPENAI_VOICES).default('marin'),
  credential: credentialName.optional(),
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  max_output_tokens: z.int().min(64).max(4_096).default(1_024),
  turn_detection: turnDetection.prefault({ type: 'server_vad' }),
  /** Of the callee's sound, before the provider finds turns in it. Without it the provider hears the sound as it comes. */
  noise_reduction: z.enum(NOISE_REDUCTIONS).optional(),
  /** Null: the callee's words are not transcribed. */
  transcription: transcription.nullable().default({ model: 'gpt-4o-mini-transcribe', keywords: [] }),
});

const azure = z.strictObject({
  ...openai.shape,
  provider: z.literal('azure'),
  /** The name of a deployment in the resource of the credential. */
  model: modelName,
  /** `model` is another deployment, which no default can name. */
  transcription: transcription.nullable(),
});

const xai = z.strictObject({
  provider: z.literal('xai'),
  model: modelName,
  voice: z.enum(XAI_VOICES).default('eve'),
  credential: credentialName.optional(),
  reasoning_effort: z.enum(['none', 'high']).optional(),
  turn_detection: z
    .strictObject({
      type: z.literal('server_vad'),
      threshold: z.number().min(0.1).max(0.9).default(0.85),
      prefix_padding_ms: z.int().min(0).max(2_000).default(333),
      silence_duration_ms: silenceMs,
    })
    .prefault({ type: 'server_vad' }),
  transcription: z
    .strictObject({
      model: z.literal('grok-transcribe').default('grok-transcribe'),
      keywords: z.array(z.string().min(1).max(50)).max(100).default([]),
    })
    .nullable()
    .prefault({}),
});

const sensitivity = z.enum(['low', 'high']);

const google = z.strictObject({
  provider: z.literal('google'),
  model: modelName,
  voice: z.enum(GOOGLE_VOICES).default('Kore'),
  credential: credentialName.optional(),
  max_output_tokens: z.int().min(64).max(8_192).default(2_048),
  turn_detection: z
    .strictObject({
      type: z.literal('server_vad'),
      start_sensitivity: sensitivity.default('high'),
      end_sensitivity: sensitivity.default('high'),
      /** How long speech lasts before it begins a turn. */
      prefix_padding_ms: z.int().min(0).max(2_000).default(60),
      silence_duration_ms: silenceMs,
    })
    .prefault({ type: 'server_vad' }),
  transcription: z
    .strictObject({ keywords: z.array(z.string().min(1).max(100)).max(100).default([]) })
    .nullable()
    .prefault({}),
});

const openaiLive = z.strictObject({
  provider: z.literal('openai_live'),
  model: modelName,
  voice: z.enum(OPENAI_LIVE_VOICES).default('marin'),
  credential: credentialName.optional(),
  /** The model that thinks and calls tools while the live one speaks. Its tokens are billed apart. */
  delegation: z
    .strictObject({
      model: modelName.default('gpt-5-mini'),
      reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional(),
      max_output_tokens: z.int().min(64).max(8_192).default(2_048),
    })
    .prefault({}),
});

const realtimeModel = z.discriminatedUnion('provider', [openai, openaiLive, azure, xai, google]);
export type RealtimeModel = z.output<typeof realtimeModel>;

const fallbacks = { fallbacks: z.array(realtimeModel).max(3).default([]) };
const withFallbacks = z.discriminatedUnion('provider', [
  openai.extend(fallbacks),
  openaiLive.extend(fallbacks),
  azure.extend(fallbacks),
  xai.extend(fallbacks),
  google.extend(fallbacks),
]);

/** The settings of an agent that a speech-to-speech model conducts. */
export function realtimeSchema(rules: TextRules, name: z.ZodString) {
  return z.strictObject({
    driver: z.literal('realtime'),
    ...conductedShape(rules, name),
    model: withFallbacks,
  });
}

export type RealtimeSettings = z.output<ReturnType<typeof realtimeSchema>>;
