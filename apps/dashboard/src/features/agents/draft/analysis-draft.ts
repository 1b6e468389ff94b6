import type { AnalysisSettings } from '@outdial/contracts';
import { z } from 'zod';
import { isBlank, jsonText, optional, parseJson } from './draft-parts.ts';
import { modelDraftOf, modelDraftSchema, modelSettingsOf, NO_MODEL } from './model-draft.ts';

export const analysisDraftSchema = z.object({
  enabled: z.boolean(),
  summary: z.object({ enabled: z.boolean(), prompt: z.string() }),
  /** JSON Schema. Empty: no data is extracted. */
  data: z.string(),
  /** Without criteria, success is not judged. */
  success: z.object({ criteria: z.string(), scale: z.enum(['boolean', '1-10']) }),
  llm: modelDraftSchema,
});
export type AnalysisDraft = Readonly<z.output<typeof analysisDraftSchema>>;

export const NO_ANALYSIS: AnalysisDraft = {
  enabled: false,
  summary: { enabled: true, prompt: '' },
  data: '',
  success: { criteria: '', scale: 'boolean' },
  llm: { ...NO_MODEL, model: 'gpt-5-mini' },
};

export function analysisDraftOf({ summary, data, success, llm }: AnalysisSettings): AnalysisDraft {
  return {
    enabled: true,
    summary: { enabled: summary !== undefined, prompt: summary?.prompt ?? '' },
    data: data === undefined ? '' : jsonText(data),
    success: success ?? NO_ANALYSIS.success,
    llm: modelDraftOf(llm),
  };
}

/** The inverse, without validation. */
export function analysisSettingsOf({ summary, data, success, llm }: AnalysisDraft): object {
  const schema = parseJson(data);
  return {
    ...(summary.enabled ? { summary: optional('prompt', summary.prompt) } : {}),
    ...(isBlank(data) ? {} : { data: schema.ok ? schema.value : {} }),
    ...(isBlank(success.criteria) ? {} : { success }),
    llm: modelSettingsOf(llm),
  };
}
