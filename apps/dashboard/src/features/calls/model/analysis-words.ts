import type { AnalysisStatus, CallAnalysisBody, CallBody, CallEventBody } from '@outdial/contracts';
import { ANALYSIS_PROBLEMS, analysisProblems } from '@outdial/contracts';
import { z } from 'zod';
import { formatMoney } from '../../../shared/format/numbers.ts';
import { amountOf } from './model-cost-lines.ts';

const problemSchema = z.object({ problem: z.enum(analysisProblems) });

/** Why there is no analysis, or not yet. Null: it is there, or the call has none. */
export function analysisStatusWords(
  { analysis_status: status }: Pick<CallBody, 'analysis_status'>,
  events: readonly CallEventBody[],
): string | null {
  const words = STATUS_WORDS[status];
  if (words === null || status === 'pending') return words;
  const analyzed = problemSchema.safeParse(events.findLast(({ type }) => type === 'analyzed')?.data);
  return analyzed.success ? `${words} ${ANALYSIS_PROBLEMS[analyzed.data.problem]}` : words;
}

const STATUS_WORDS: Readonly<Record<AnalysisStatus, string | null>> = {
  none: null,
  pending: 'The call is being analyzed. The result appears here in a moment.',
  completed: null,
  failed: 'The analysis failed.',
  skipped: 'The analysis was skipped.',
};

/** What the analysis used and cost. An analysis by an earlier version does not say what it used. */
export function analysisCostWords(
  { model, usage, cost }: Pick<CallAnalysisBody, 'model' | 'usage' | 'cost'>,
  currency: string,
): string {
  const used = usage.length === 0 ? '' : ` Used: ${usage.map(amountOf).join(', ')}.`;
  const isOwn = usage.some(({ own_credential: own }) => own);
  const charged = isOwn ? 'on your own credential' : 'charged apart from the call’s';
  return `By ${model}.${used} Cost: ${formatMoney(cost, currency)}, ${charged}.`;
}

/** The judgment of success: `Yes`, `No` or `7 of 10`. */
export function successWords({ value }: NonNullable<CallAnalysisBody['success']>): string {
  if (typeof value === 'number') return `${value} of 10`;
  return value ? 'Yes' : 'No';
}

/** A field of the extracted data: lists by commas, other structures as JSON. */
export function dataWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'Unknown';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(dataWords).join(', ');
  return JSON.stringify(value);
}
