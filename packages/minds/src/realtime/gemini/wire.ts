import { z } from 'zod';

/**
 * The messages of Google's Live API that the driver acts on, reduced to what it reads. One may have several fields at once.
 * Unknown ones are ignored: the provider adds them at any time.
 *
 * Source: https://ai.google.dev/api/live#messages-server
 */
const count = z.int().min(0).default(0);
const details = z.array(z.object({ modality: z.string().default(''), tokenCount: count })).default([]);
const flag = z.boolean().default(false);
const transcription = z.object({ text: z.string().default(''), finished: flag });

const part = z.object({
  inlineData: z.object({ mimeType: z.string().default(''), data: z.string() }).optional(),
});

const serverMessage = z.object({
  setupComplete: z.object({}).optional(),
  serverContent: z
    .object({
      modelTurn: z.object({ parts: z.array(part).default([]) }).optional(),
      inputTranscription: transcription.optional(),
      outputTranscription: transcription.optional(),
      generationComplete: flag,
      interrupted: flag,
      turnComplete: flag,
      turnCompleteReason: z.string().optional(),
    })
    .optional(),
  toolCall: z
    .object({
      functionCalls: z
        .array(
          z.object({
            id: z.string().optional(),
            name: z.string(),
            args: z.record(z.string(), z.unknown()).default({}),
          }),
        )
        .default([]),
    })
    .optional(),
  toolCallCancellation: z.object({ ids: z.array(z.string()).default([]) }).optional(),
  usageMetadata: z
    .object({
      promptTokenCount: count,
      promptTokensDetails: details,
      cacheTokensDetails: details,
      responseTokenCount: count,
      responseTokensDetails: details,
      thoughtsTokenCount: count,
      toolUsePromptTokenCount: count,
    })
    .optional(),
  goAway: z.object({}).optional(),
});

export type ServerMessage = z.output<typeof serverMessage>;
export type ServerContent = NonNullable<ServerMessage['serverContent']>;
export type FunctionCall = NonNullable<ServerMessage['toolCall']>['functionCalls'][number];
export type UsageMetadata = NonNullable<ServerMessage['usageMetadata']>;

export type ParsedMessage =
  | { readonly kind: 'message'; readonly message: ServerMessage }
  | { readonly kind: 'invalid'; readonly problem: string };

export function parseServerMessage(text: string): ParsedMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', problem: 'a message was not JSON' };
  }
  const parsed = serverMessage.safeParse(value);
  if (parsed.success) return { kind: 'message', message: parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: 'invalid', problem: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
}
