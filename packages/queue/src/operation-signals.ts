import { DEFAULT_QUEUE_PREFIX, operationsChannel } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** Announces that operators have changed something; Postgres has the change. Workers also poll, so a loss is harmless. */
export interface OperationSignals {
  publish(): Promise<void>;
}

const LOOK = 'look';

export function createOperationSignals(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
}): OperationSignals {
  const channel = operationsChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  return {
    async publish() {
      await options.redis.publish(channel, LOOK);
    },
  };
}

/**
 * Receives every announcement from now on, also after outages of Redis. `redis` is a connection from `connectForWaiting`
 * used for nothing else but subscriptions.
 */
export async function subscribeToOperationSignals(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
  readonly onChanged: () => void;
}): Promise<void> {
  const channel = operationsChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  options.redis.on('message', (heardOn) => {
    if (heardOn === channel) options.onChanged();
  });
  await options.redis.subscribe(channel);
}
