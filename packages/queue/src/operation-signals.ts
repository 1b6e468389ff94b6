import type { Redis } from 'ioredis';
import { DEFAULT_QUEUE_PREFIX, operationsChannel } from './keys.ts';

/** Says that operators have changed something; what, Postgres knows. Whoever misses it looks there soon anyway. */
export interface OperationSignals {
  publish(): Promise<void>;
}

const LOOK = 'look';

export function createOperationSignals(options: { readonly redis: Redis; readonly prefix?: string }): OperationSignals {
  const channel = operationsChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  return {
    async publish() {
      await options.redis.publish(channel, LOOK);
    },
  };
}

/**
 * Hears every announcement from now on, also after Redis was away. `redis` is a connection from `connectForWaiting` that
 * does nothing but listen.
 */
export async function subscribeToOperationSignals(options: {
  readonly redis: Redis;
  readonly prefix?: string;
  readonly onChanged: () => void;
}): Promise<void> {
  const channel = operationsChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  options.redis.on('message', (heardOn) => {
    if (heardOn === channel) options.onChanged();
  });
  await options.redis.subscribe(channel);
}
