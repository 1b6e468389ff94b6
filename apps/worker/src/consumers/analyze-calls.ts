import { analyzeNext, createShares, type AnalysisDeps } from '@outdial/analysis';
import { ANALYSIS_QUEUE } from '@outdial/contracts';
import type { RedisClient } from '@outdial/queue';
import type { Loop } from '../loops/loop.ts';
import { startJobLoop } from './job-loop.ts';

/** An analysis waits for its provider: it costs this process little. */
const CONCURRENCY = 32;

/** An account whose provider hangs leaves the other half to others. */
const PER_ACCOUNT = CONCURRENCY / 2;

/** Takes analyses of ended calls off their queue. When it stops, each returns its call, for another worker. */
export function startAnalyses(deps: AnalysisDeps & { readonly redis: RedisClient }): Loop {
  const { redis, clock, logger } = deps;
  const shares = createShares({ clock, perAccount: PER_ACCOUNT });
  return startJobLoop({
    name: ANALYSIS_QUEUE,
    redis,
    clock,
    logger,
    concurrency: CONCURRENCY,
    handle: (callId, stopping) => analyzeNext(deps, shares, callId, stopping),
  });
}
