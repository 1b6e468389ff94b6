import { z } from 'zod';
import { analysisDataSchema } from './analysis-data.ts';
import { llmChoiceSchema } from './llm.ts';
import type { TemplateText } from './template-text.ts';

/** What is found out about a call after it has ended. */
export function analysisSchema(text: (maxLength: number) => TemplateText) {
  return z
    .strictObject({
      summary: z.strictObject({ prompt: text(4_000).optional() }).optional(),
      /** A JSON Schema of an object with at most 32 flat fields. */
      data: analysisDataSchema.optional(),
      success: z
        .strictObject({ criteria: text(4_000), scale: z.enum(['boolean', '1-10']).default('boolean') })
        .optional(),
      llm: z.strictObject({
        ...llmChoiceSchema.shape,
        max_output_tokens: z.int().min(64).max(4_000).default(1_000),
      }),
    })
    .refine(({ summary, data, success }) => summary ?? data ?? success, 'must ask for a summary, data or success');
}

export type AnalysisSettings = z.output<ReturnType<typeof analysisSchema>>;
