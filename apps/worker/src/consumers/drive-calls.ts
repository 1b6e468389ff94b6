import type { CallDriver } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import { createCallConsumer, type CallConsumer, type RedisClient } from '@outdial/queue';

/** Takes calls off the queue and drives each to its end. A job stays active as long as its call. */
export function consumeCalls(deps: {
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly driver: CallDriver;
}): CallConsumer {
  const { driver, ...options } = deps;
  return createCallConsumer({ ...options, handle: (callId) => driver.drive(callId) });
}
