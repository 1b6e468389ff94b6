import { analyzeCall, type AnalysisDeps } from '@outdial/analysis';
import { ANALYSIS_QUEUE } from '@outdial/contracts';
import type { Redis } from 'ioredis';
import type { Loop } from '../loops/loop.ts';
import { startJobLoop } from './job-loop.ts';

/** An analysis waits for its provider: it costs this process little. */
const CONCURRENCY = 16;

/** Takes analyses of ended calls off their queue. When it stops, each returns its call, for another worker. */
export function startAnalyses(deps: AnalysisDeps & { readonly redis: Redis }): Loop {
  const { redis, clock, logger } = deps;
  return startJobLoop({
    name: ANALYSIS_QUEUE,
    redis,
    clock,
    logger,
    concurrency: CONCURRENCY,
    handle: (callId, stopping) => analyzeCall(deps, callId, stopping),
  });
}
