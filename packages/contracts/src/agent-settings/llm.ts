import { z } from 'zod';
import { credentialName, modelName } from './model-name.ts';

export const LLM_PROVIDERS = ['openai', 'anthropic', 'google', 'openai_compatible', 'local'] as const;

export const llmChoiceSchema = z.strictObject({
  provider: z.enum(LLM_PROVIDERS),
  model: modelName,
  credential: credentialName.optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_output_tokens: z.int().min(16).max(4_096).default(300),
});
export type LlmChoice = z.output<typeof llmChoiceSchema>;

export const llmSchema = z.strictObject({
  ...llmChoiceSchema.shape,
  fallbacks: z.array(llmChoiceSchema).max(3).default([]),
});
