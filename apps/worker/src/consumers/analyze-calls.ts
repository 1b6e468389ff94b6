import { analyzeNext, createShares, type AnalysisDeps } from '@outdial/analysis';
import { ANALYSIS_QUEUE } from '@outdial/contracts';
import { createCallConsumer } from '@outdial/queue';
import type { Redis } from 'ioredis';
import type { Loop } from '../loops/loop.ts';

/** An analysis waits for its provider: it costs this process little. */
const CONCURRENCY = 32;

/** An account whose provider hangs leaves the other half to others. */
const PER_ACCOUNT = CONCURRENCY / 2;

/** Takes analyses of ended calls off their queue, until it is stopped. */
export function startAnalyses(deps: AnalysisDeps & { readonly redis: Redis }): Loop {
  const { redis, clock, logger } = deps;
  const stopping = new AbortController();
  const shares = createShares({ clock, perAccount: PER_ACCOUNT });
  const running = new Set<Promise<unknown>>();
  const consumer = createCallConsumer({
    name: ANALYSIS_QUEUE,
    redis,
    clock,
    logger,
    concurrency: CONCURRENCY,
    handle(callId) {
      const analysis = analyzeNext(deps, shares, callId, stopping.signal);
      const settled: Promise<unknown> = Promise.allSettled([analysis]).then(() => running.delete(settled));
      running.add(settled);
      return analysis;
    },
  });
  consumer.start();
  return {
    async stop() {
      const stopped = consumer.stopTaking();
      // Each gives its call back, for another worker.
      stopping.abort();
      await Promise.all(running);
      await stopped;
      await consumer.close();
    },
  };
}
