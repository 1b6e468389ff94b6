import { z } from 'zod';
import { functionDeclarationSchema } from '../google/generate-request.ts';

/** What the Live API accepts, of what a telephone call needs: an unknown field ends the connection. */
const text = z.strictObject({ text: z.string().min(1) });
const content = z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(text).min(1) });
const tokens = z.string().regex(/^\d{1,9}$/);

const transcription = z.strictObject({
  languageCodes: z.array(z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/)).optional(),
  customVocabulary: z.array(z.string()).optional(),
});

const setup = z.strictObject({
  model: z.string().startsWith('models/'),
  generationConfig: z.strictObject({
    responseModalities: z.array(z.literal('AUDIO')).length(1),
    maxOutputTokens: z.int().min(1).max(65_536).optional(),
    temperature: z.number().min(0).max(2).optional(),
    speechConfig: z
      .strictObject({
        voiceConfig: z.strictObject({ prebuiltVoiceConfig: z.strictObject({ voiceName: z.string().min(1) }) }),
      })
      .optional(),
  }),
  systemInstruction: z.strictObject({ parts: z.array(text).min(1) }).optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z
          .array(functionDeclarationSchema.extend({ behavior: z.enum(['BLOCKING', 'NON_BLOCKING']).optional() }))
          .min(1),
      }),
    )
    .optional(),
  realtimeInputConfig: z
    .strictObject({
      automaticActivityDetection: z
        .strictObject({
          disabled: z.literal(false).optional(),
          startOfSpeechSensitivity: z.enum(['START_SENSITIVITY_LOW', 'START_SENSITIVITY_HIGH']).optional(),
          endOfSpeechSensitivity: z.enum(['END_SENSITIVITY_LOW', 'END_SENSITIVITY_HIGH']).optional(),
          prefixPaddingMs: z.int().min(0).optional(),
          silenceDurationMs: z.int().min(0).optional(),
        })
        .optional(),
      activityHandling: z.enum(['START_OF_ACTIVITY_INTERRUPTS', 'NO_INTERRUPTION']).optional(),
    })
    .optional(),
  inputAudioTranscription: transcription.optional(),
  outputAudioTranscription: transcription.optional(),
  sessionResumption: z.strictObject({ handle: z.string().min(1).optional() }).optional(),
  contextWindowCompression: z
    .strictObject({ triggerTokens: tokens.optional(), slidingWindow: z.strictObject({ targetTokens: tokens }) })
    .optional(),
});

const realtimeInput = z.union([
  z.strictObject({ audio: z.strictObject({ mimeType: z.string(), data: z.base64() }) }),
  z.strictObject({ audioStreamEnd: z.literal(true) }),
]);

const toolResponse = z.strictObject({
  functionResponses: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        response: z.record(z.string(), z.unknown()),
        scheduling: z.enum(['SILENT', 'WHEN_IDLE', 'INTERRUPT']).optional(),
      }),
    )
    .min(1),
});

/** Exactly one of these. */
export const clientMessageSchema = z.union([
  z.strictObject({ setup }),
  z.strictObject({ clientContent: z.strictObject({ turns: z.array(content).optional(), turnComplete: z.boolean() }) }),
  z.strictObject({ realtimeInput }),
  z.strictObject({ toolResponse }),
]);

export type ClientMessage = z.output<typeof clientMessageSchema>;
export type Setup = z.output<typeof setup>;
export type ClientContent = Extract<ClientMessage, { clientContent: unknown }>['clientContent'];
export type RealtimeInput = z.output<typeof realtimeInput>;
export type FunctionResponse = z.output<typeof toolResponse>['functionResponses'][number];
