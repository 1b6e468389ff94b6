import { TRY_QUEUE, tryIdSchema } from '@outdial/contracts';
import type { RedisClient } from '@outdial/queue';
import type { Loop } from '../loops/loop.ts';
import type { TryDeps } from '../tries/ports.ts';
import { runTry } from '../tries/run-try.ts';
import { startJobLoop } from './job-loop.ts';

/** A try waits for a person most of the time. An account has two of these places at most. */
const CONCURRENCY = 16;

/** Takes tries off their queue. When it stops, each try ends, and is charged what it has used. */
export function startTries(deps: TryDeps & { readonly redis: RedisClient }): Loop {
  const { redis, clock, logger } = deps;
  return startJobLoop({
    name: TRY_QUEUE,
    redis,
    clock,
    logger,
    concurrency: CONCURRENCY,
    handle: (heldAs, stopping) => runTry(deps, tryIdSchema.parse(heldAs), stopping),
  });
}
