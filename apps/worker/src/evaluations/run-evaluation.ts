import type { EvaluationRunId, TryEndReason } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { RunJob, RunResult } from '@outdial/persistence';
import { finishTry } from '../tries/finish-try.ts';
import { errored } from './errored.ts';
import { playScenario } from './play-scenario.ts';
import type { EvaluationDeps } from './ports.ts';
import { RunGuard } from './run-guard.ts';
import { RunUsage } from './run-usage.ts';

const MAX_QUEUED = 200;

/**
 * Runs one conversation of an evaluation to its end. It begins once: a run whose worker was lost is ended by the sweeps, and is
 * charged what was known of it. After its end, the next run of the account gets its job.
 */
export async function runEvaluationRun(
  deps: EvaluationDeps,
  runId: EvaluationRunId,
  stopping: AbortSignal,
): Promise<{ readonly kind: 'done' }> {
  const begun = await deps.evaluations.beginRun({ runId, leaseMs: deps.pace.leaseMs });
  switch (begun.kind) {
    case 'busy':
    case 'over':
      return { kind: 'done' };
    case 'ended':
      break;
    case 'begun': {
      const { job } = begun;
      const logger = deps.logger.child({ runId, accountId: job.accountId });
      await run({ ...deps, logger }, job, stopping);
      break;
    }
    default:
      return unreachable(begun);
  }
  if (!stopping.aborted) await queueRuns(deps);
  return { kind: 'done' };
}

/** Ends runs whose worker was lost, and gives jobs to those that may begin. */
export async function sweepEvaluations(deps: EvaluationDeps): Promise<void> {
  const lost = await deps.evaluations.endLostRuns();
  if (lost > 0)
    deps.logger.warn({ event: 'evaluation.runs_lost', runs: lost }, 'runs of evaluations lost their worker');
  await queueRuns(deps);
}

async function queueRuns({ evaluations, queue }: EvaluationDeps): Promise<void> {
  const runs = await evaluations.startable({ accountId: null, limit: MAX_QUEUED });
  if (runs.length > 0) await queue.add(runs);
}

async function run(deps: EvaluationDeps, job: RunJob, stopping: AbortSignal): Promise<void> {
  const usage = new RunUsage(job, deps.clock);
  const guard = new RunGuard(deps, job, usage, stopping);
  const result = await playScenario(deps, job, usage, guard).catch((error: unknown): RunResult => {
    deps.logger.warn({ event: 'evaluation.run_failed', err: error }, 'a run of an evaluation could not go on');
    return errored('provider_unavailable');
  });
  guard.close();
  // Its usage is stored before its result: the worker that ends its try charges it.
  await guard.renew();
  if (guard.isFenced) return;
  const { runId, lease } = job;
  const written = await deps.evaluations.endRun({ runId, lease, ...result });
  if (written === 'fenced') return;
  await finishTry(deps, job, { reason: reasonOf(result), ...usage.used() });
  deps.logger.info({ event: 'evaluation.run_ended', verdict: result.verdict }, 'a run of an evaluation ended');
}

/** Of the run's try, which has the words of tries. */
function reasonOf({ problem, endedReason }: RunResult): TryEndReason {
  switch (problem) {
    case 'insufficient_funds':
      return 'funds_spent';
    case 'provider_unavailable':
    case 'worker_lost':
    case 'not_started':
    case 'provider_rejected':
      return problem;
    case 'no_credential':
    case 'settings_unusable':
      return 'provider_rejected';
    case 'cancelled':
      return 'ended_by_user';
    case 'answer_unusable':
    case null:
      return endedReason === 'agent_hangup' || endedReason === 'time_over' ? endedReason : 'ended_by_user';
    default:
      return unreachable(problem);
  }
}
