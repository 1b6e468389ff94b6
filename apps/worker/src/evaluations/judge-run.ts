import { judge, TextModelError, type TextModel } from '@outdial/analysis';
import { fillTemplate, type Criterion, type Judgment, type RunLine, type RunProblem } from '@outdial/contracts';
import { pause, withDeadline } from '@outdial/kernel';
import type { RunJob } from '@outdial/persistence';
import type { OpenedModel } from '../model-thread/messages.ts';
import type { EvaluationDeps } from './ports.ts';
import type { RunUsage } from './run-usage.ts';

export interface JudgeRunInput {
  readonly deps: EvaluationDeps;
  readonly job: RunJob;
  /** Null: its credential is gone. */
  readonly opened: OpenedModel | null;
  readonly criteria: readonly Criterion[];
  readonly variables: Readonly<Record<string, string>>;
  readonly lines: readonly RunLine[];
  readonly usage: RunUsage;
  /** After each answer. */
  readonly onUsage: () => void;
  readonly signal: AbortSignal;
}

export type Judged =
  | { readonly kind: 'judged'; readonly judgments: readonly Judgment[] }
  | { readonly kind: 'errored'; readonly problem: RunProblem };

/** Judges a conversation criterion by criterion. One that cannot be judged ends it: the verdict needs all of them. */
export async function judgeRun(input: JudgeRunInput): Promise<Judged> {
  const { deps, job, opened, criteria } = input;
  if (opened === null) return { kind: 'errored', problem: 'no_credential' };
  const model = deps.openJudge(job.llm, { ...opened, provider: opened.provider }, opened.isOwn);
  if (model === null) return { kind: 'errored', problem: 'settings_unusable' };
  const judgments: Judgment[] = [];
  for (const criterion of criteria) {
    const judged = await judgeOne(input, model, criterion);
    if (typeof judged === 'string') return { kind: 'errored', problem: judged };
    judgments.push(judged);
  }
  return { kind: 'judged', judgments };
}

async function judgeOne(input: JudgeRunInput, model: TextModel, criterion: Criterion): Promise<Judgment | RunProblem> {
  const { deps, signal } = input;
  const { clock, pace } = deps;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask(input, model, criterion);
    } catch (error) {
      if (signal.aborted) return 'worker_lost';
      deps.logger.warn({ event: 'evaluation.judge_failed', err: error }, 'a conversation could not be judged');
      if (error instanceof TextModelError && error.fault !== 'unavailable') return 'provider_rejected';
      const afterMs = pace.judgeAgainAfterMs[attempt];
      if (afterMs === undefined) return 'provider_unavailable';
      await pause(clock, afterMs, signal);
    }
  }
}

async function ask(input: JudgeRunInput, model: TextModel, criterion: Criterion): Promise<Judgment | RunProblem> {
  const { deps, job, variables, lines, usage, onUsage, signal } = input;
  const abandoned = new AbortController();
  const fill = (text: string) => fillTemplate(text, variables);
  const answer = judge({
    model,
    llm: job.llm,
    criterion,
    lines,
    fill,
    signal: AbortSignal.any([signal, abandoned.signal]),
  });
  try {
    const outcome = await withDeadline(deps.clock, deps.clock.monotonicMs() + deps.pace.judgeMs, answer);
    usage.add('judge', outcome.usage);
    onUsage();
    if (outcome.kind === 'unusable') return 'answer_unusable';
    const { passed, value, reason } = outcome;
    return { criteria: fill(criterion.criteria), passed, value, reason };
  } finally {
    abandoned.abort();
  }
}
