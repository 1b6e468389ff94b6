import { EVALUATION_QUEUE, evaluationRunIdSchema } from '@outdial/contracts';
import type { RedisClient } from '@outdial/queue';
import type { EvaluationDeps } from '../evaluations/ports.ts';
import { runEvaluationRun } from '../evaluations/run-evaluation.ts';
import type { Loop } from '../loops/loop.ts';
import { startJobLoop } from './job-loop.ts';

/** A run waits for its providers most of the time. An account has two of these places at most. */
const CONCURRENCY = 16;

/** Takes runs of evaluations off their queue. When it stops, each run ends, and is charged what it has used. */
export function startEvaluations(deps: EvaluationDeps & { readonly redis: RedisClient }): Loop {
  const { redis, clock, logger } = deps;
  return startJobLoop({
    name: EVALUATION_QUEUE,
    redis,
    clock,
    logger,
    concurrency: CONCURRENCY,
    handle: (runId, stopping) => runEvaluationRun(deps, evaluationRunIdSchema.parse(runId), stopping),
  });
}
