import type { EndSignals } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import type { Redis } from 'ioredis';
import { DEFAULT_QUEUE_PREFIX, endChannel } from './keys.ts';

/** Announces that a call is to end. Whoever misses it sees the request at its next write. */
export function createEndSignals(options: { readonly redis: Redis; readonly prefix?: string }): EndSignals {
  const channel = endChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  return {
    async publish(callId) {
      await options.redis.publish(channel, callId);
    },
  };
}

/**
 * Hears every announcement from now on, also after Redis was away. `redis` is a connection from
 * `connectForWaiting` that does nothing but listen: a subscribed one takes no other commands.
 */
export async function subscribeToEndSignals(options: {
  readonly redis: Redis;
  readonly logger: Logger;
  readonly prefix?: string;
  readonly onEndRequested: (callId: CallId) => void;
}): Promise<void> {
  const channel = endChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  options.redis.on('message', (heardOn, message) => {
    if (heardOn !== channel) return;
    const callId = callIdSchema.safeParse(message);
    if (callId.success) options.onEndRequested(callId.data);
    else options.logger.warn('an announcement of an end request names no call');
  });
  await options.redis.subscribe(channel);
}
