import type { EndSignals } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import { DEFAULT_QUEUE_PREFIX, endChannel } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** Announces requests to end a call. A driver that misses one sees the request at its next write. */
export function createEndSignals(options: { readonly redis: RedisClient; readonly prefix?: string }): EndSignals {
  const channel = endChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  return {
    async publish(callId) {
      await options.redis.publish(channel, callId);
    },
  };
}

/**
 * Receives every announcement from now on, also after outages of Redis. `redis` is a connection from
 * `connectForWaiting` used for nothing else: a subscribed connection takes no other commands.
 */
export async function subscribeToEndSignals(options: {
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly prefix?: string;
  readonly onEndRequested: (callId: CallId) => void;
}): Promise<void> {
  const channel = endChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  options.redis.on('message', (heardOn, message) => {
    if (heardOn !== channel) return;
    const callId = callIdSchema.safeParse(message);
    if (callId.success) options.onEndRequested(callId.data);
    else options.logger.warn({ event: 'queue.signal_rejected' }, 'an end signal names no call');
  });
  await options.redis.subscribe(channel);
}
