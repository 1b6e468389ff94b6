import { TRY_QUEUE, tryIdSchema } from '@outdial/contracts';
import { createCallConsumer } from '@outdial/queue';
import type { Redis } from 'ioredis';
import type { Loop } from '../loops/loop.ts';
import type { TryDeps } from '../tries/ports.ts';
import { runTry } from '../tries/run-try.ts';

/** A try waits for a person most of the time. An account has two of these places at most. */
const CONCURRENCY = 16;

/** Takes tries off their queue, until it is stopped. */
export function startTries(deps: TryDeps & { readonly redis: Redis }): Loop {
  const { redis, clock, logger } = deps;
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const consumer = createCallConsumer({
    name: TRY_QUEUE,
    redis,
    clock,
    logger,
    concurrency: CONCURRENCY,
    handle(heldAs) {
      const run = runTry(deps, tryIdSchema.parse(heldAs), stopping.signal);
      const settled: Promise<unknown> = Promise.allSettled([run]).then(() => running.delete(settled));
      running.add(settled);
      return run;
    },
  });
  consumer.start();
  return {
    async stop() {
      const stopped = consumer.stopTaking();
      // Each try ends, and is charged what it has used.
      stopping.abort();
      await Promise.all(running);
      await stopped;
      await consumer.close();
    },
  };
}
