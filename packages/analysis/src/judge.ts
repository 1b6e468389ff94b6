import {
  PASSES_FROM,
  type AnalysisSettings,
  type Criterion,
  type EvaluationLlm,
  type RunLine,
} from '@outdial/contracts';
import type { AnalysisUsage } from '@outdial/calls';
import { usageOf } from './cost.ts';
import { climb } from './ladder.ts';
import { quoted, RULES, tasksOf } from './prompt.ts';
import { resultSchemaOf } from './result-schema.ts';
import type { TextModel } from './text-model.ts';

export interface JudgeInput {
  readonly model: TextModel;
  readonly llm: EvaluationLlm;
  readonly criterion: Criterion;
  readonly lines: readonly RunLine[];
  /** Fills in the variables. */
  readonly fill: (text: string) => string;
  readonly signal: AbortSignal;
}

export type JudgeOutcome = { readonly usage: readonly AnalysisUsage[] } & (
  | { readonly kind: 'judged'; readonly passed: boolean; readonly value: boolean | number; readonly reason: string }
  /** Also after a correction. */
  | { readonly kind: 'unusable' }
);

/**
 * Judges one conversation by one criterion, as the analysis of a call judges its success. At most four requests.
 * @throws TextModelError
 */
export async function judge({ model, llm, criterion, lines, fill, signal }: JudgeInput): Promise<JudgeOutcome> {
  const { criteria, scale } = criterion;
  const settings: AnalysisSettings = { success: { criteria, scale }, llm };
  const messages = [
    { role: 'system' as const, content: [RULES, ...tasksOf(settings, fill)].join('\n\n') },
    quoted(lines.map(quotedLine)),
  ];
  const outcome = await climb(model, messages, resultSchemaOf(settings), signal);
  const usage = usageOf(outcome.usage, { ...llm, isOwn: false });
  if (outcome.kind === 'unusable' || outcome.result.success === null) return { kind: 'unusable', usage };
  const { value, reason } = outcome.result.success;
  const passed = typeof value === 'boolean' ? value : value >= (criterion.passes_from ?? PASSES_FROM);
  return { kind: 'judged', passed, value, reason, usage };
}

function quotedLine(line: RunLine): object {
  if (line.kind !== 'tool') return { speaker: line.kind, text: line.text };
  const { name, arguments: given, result, outcome } = line;
  return { speaker: 'agent', tool: name, arguments: given, result, outcome };
}
