import type { AnalysisEnd, AnalysisJob, CallAnalysis } from '@outdial/calls';
import { MAX_UNUSABLE_TEXT_LENGTH, micros, type AnalysisProblem, type AnalysisSettings } from '@outdial/contracts';
import { unreachable, withDeadline, type Logger } from '@outdial/kernel';
import { chooseModel, type ChosenModel } from './choose-model.ts';
import { costOf, usageOf } from './cost.ts';
import { finishAnalysis } from './finish.ts';
import { climb, type LadderOutcome } from './ladder.ts';
import { ANALYSIS_TIMINGS, type AnalysisDeps } from './ports.ts';
import { promptOf } from './prompt.ts';
import { resultSchemaOf } from './result-schema.ts';
import { TextModelError, type TextModel } from './text-model.ts';

/** What becomes of the job: it is over, or is delivered again. */
export type JobEnd = { readonly kind: 'done' } | { readonly kind: 'later'; readonly afterMs: number };

/** Analyzes an ended call that this try has claimed. @param stopping gives the call back for another worker */
export async function analyzeCall(given: AnalysisDeps, job: AnalysisJob, stopping: AbortSignal): Promise<JobEnd> {
  const { callId, accountId, requestId } = job;
  const deps = { ...given, logger: given.logger.child({ callId, accountId, requestId }) };
  const { retryAfterMs } = deps.timings ?? ANALYSIS_TIMINGS;
  // The tries before it died with their workers.
  if (job.tries > retryAfterMs.length + 1) return end(deps, job, failed('provider_unavailable'));
  const { settings } = job;
  if (settings === null) return end(deps, job, failed('settings_unusable'));
  try {
    return await end(deps, job, await findOut(deps, job, settings, stopping));
  } catch (error) {
    if (stopping.aborted) return later(deps, job, error, 1_000);
    if (error instanceof TextModelError && error.fault !== 'unavailable') {
      deps.logger.warn({ event: 'analysis.rejected', err: error }, 'the provider rejected the analysis');
      return end(deps, job, failed('provider_rejected'));
    }
    const afterMs = retryAfterMs[job.tries - 1];
    return afterMs === undefined ? end(deps, job, failed('provider_unavailable')) : later(deps, job, error, afterMs);
  }
}

/** Asks the model. */
async function findOut(
  deps: AnalysisDeps,
  job: AnalysisJob,
  settings: AnalysisSettings,
  stopping: AbortSignal,
): Promise<AnalysisEnd> {
  const chosen = await chooseModel(deps, job, settings);
  switch (chosen.kind) {
    case 'failed':
      return failed(chosen.problem);
    case 'skipped':
      return { status: 'skipped', problem: chosen.problem, analysis: null };
    case 'ready': {
      const outcome = await ask(deps, job, settings, chosen.model, stopping);
      return endOf(outcome, chosen, settings.llm, deps.clock.nowMs());
    }
    default:
      return unreachable(chosen);
  }
}

async function ask(
  { clock, timings = ANALYSIS_TIMINGS }: AnalysisDeps,
  job: AnalysisJob,
  settings: AnalysisSettings,
  model: TextModel,
  stopping: AbortSignal,
): Promise<LadderOutcome> {
  const abandoned = new AbortController();
  const signal = AbortSignal.any([stopping, abandoned.signal]);
  const untilMs = clock.monotonicMs() + timings.modelMs;
  try {
    const answer = climb(model, promptOf(job, settings), resultSchemaOf(settings), signal);
    return await withDeadline(clock, untilMs, answer);
  } finally {
    abandoned.abort();
  }
}

type Facts = Pick<CallAnalysis, 'model' | 'completedAtMs' | 'usage' | 'costMicros'>;

function endOf(
  outcome: LadderOutcome,
  { prices, isOwn }: Pick<Extract<ChosenModel, { kind: 'ready' }>, 'prices' | 'isOwn'>,
  llm: AnalysisSettings['llm'],
  completedAtMs: number,
): AnalysisEnd {
  const costMicros = prices === null ? micros(0) : costOf(outcome.usage, prices);
  const usage = usageOf(outcome.usage, { ...llm, isOwn });
  const facts: Facts = { model: llm.model, completedAtMs, usage, costMicros };
  if (outcome.kind === 'answered') {
    return { status: 'completed', analysis: { ...outcome.result, text: null, ...facts } };
  }
  const text = storable(outcome.text).slice(0, MAX_UNUSABLE_TEXT_LENGTH);
  const analysis: CallAnalysis = { summary: null, data: null, success: null, text, ...facts };
  return { status: 'failed', problem: 'answer_unusable', analysis };
}

/** Postgres stores neither U+0000 nor half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '�');
}

function failed(problem: AnalysisProblem): AnalysisEnd {
  return { status: 'failed', problem, analysis: null };
}

async function end(deps: AnalysisDeps, job: AnalysisJob, how: AnalysisEnd): Promise<JobEnd> {
  const outcome = await finishAnalysis(deps, job, how);
  if (outcome === 'not_now') {
    return later(deps, job, new Error('the analysis could not be written in time'), ANALYSIS_TIMINGS.chargeMs);
  }
  if (outcome === 'finished') {
    deps.onOutcome?.(how.status);
    logEnd(deps.logger, how);
  }
  return { kind: 'done' };
}

function logEnd(logger: Logger, how: AnalysisEnd): void {
  const costMicros = String(how.analysis?.costMicros ?? 0n);
  switch (how.status) {
    case 'completed':
      return logger.info({ event: 'analysis.completed', costMicros }, 'call analyzed');
    case 'skipped':
      return logger.info({ event: 'analysis.skipped', problem: how.problem }, 'call not analyzed');
    case 'failed':
      return logger.warn({ event: 'analysis.failed', problem: how.problem, costMicros }, 'call could not be analyzed');
    default:
      return unreachable(how);
  }
}

async function later(deps: AnalysisDeps, job: AnalysisJob, cause: unknown, afterMs: number): Promise<JobEnd> {
  const { callId, lease, tries } = job;
  deps.onOutcome?.('retried');
  deps.logger.warn({ event: 'analysis.retried', err: cause, tries, afterMs }, 'the analysis is tried again');
  // If Postgres is away, the lease ends by itself.
  const given = await deps.store.retryLater({ callId, lease, afterMs }).catch(() => 'fenced' as const);
  return { kind: 'later', afterMs: given === 'written' ? afterMs : (ANALYSIS_TIMINGS.retryAfterMs[0] ?? afterMs) };
}
