import { z } from 'zod';
import { usageItemSchema } from './usage-item.ts';

/** How far the analysis of a call has got. `none`: the call has none. */
export const ANALYSIS_STATUSES = ['none', 'pending', 'completed', 'failed', 'skipped'] as const;
export type AnalysisStatus = (typeof ANALYSIS_STATUSES)[number];

/** Why a call that was to be analyzed was not. */
export const ANALYSIS_PROBLEMS = {
  answer_unusable: 'The model’s answer did not fit, also after a correction.',
  provider_rejected: 'The provider rejected the request: check the credential and the name of the model.',
  provider_unavailable: 'The provider did not answer, or failed, in every try.',
  no_credential: 'No credential for the provider can be used.',
  settings_unusable: 'The agent’s settings for the analysis cannot be used.',
  insufficient_funds: 'The balance does not cover the analysis.',
  model_not_priced: 'The model has no price in the account’s currency.',
} as const;
export type AnalysisProblem = keyof typeof ANALYSIS_PROBLEMS;

function isAnalysisProblem(text: string): text is AnalysisProblem {
  return Object.hasOwn(ANALYSIS_PROBLEMS, text);
}

export const analysisProblems: readonly AnalysisProblem[] = Object.keys(ANALYSIS_PROBLEMS).filter(isAnalysisProblem);

/** The longest answer that is kept although it cannot be used. */
export const MAX_UNUSABLE_TEXT_LENGTH = 4_000;

export const callAnalysisSchema = z.strictObject({
  summary: z.string().nullable().describe('What happened in the call. Null: not asked for.'),
  data: z.record(z.string(), z.unknown()).nullable().describe('The fields that the agent asks for. Null: none.'),
  success: z
    .strictObject({
      value: z.union([z.boolean(), z.int().min(1).max(10)]).describe('True or false, or 1 to 10, as the agent asks.'),
      reason: z.string().describe('Why, in a sentence.'),
    })
    .nullable()
    .describe('Whether the call met the agent’s criteria. Null: not asked for.'),
  text: z.string().nullable().describe('For a failed analysis: the answer that did not fit, cut to 4,000 characters.'),
  model: z.string().describe('The model that analyzed the call.'),
  completed_at: z.iso.datetime({ precision: 3 }).describe('When it was completed.'),
  usage: z
    .array(usageItemSchema)
    .describe('What the model used for it; not part of the call’s `usage`. Empty where an earlier version made it.'),
  cost: z.number().describe('In units of `currency`; not part of the call’s `cost`.'),
});
export type CallAnalysisBody = z.output<typeof callAnalysisSchema>;
