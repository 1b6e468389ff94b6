import type { CallId } from '@outdial/contracts';
import { createBoundedPublisher } from './bounded-publisher.ts';
import { createChannelFollowers } from './channel-followers.ts';
import { DEFAULT_QUEUE_PREFIX, soundChannel } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** Half a second of one call, and a share of many: what Redis has not taken by then is late anyway. */
const MOST_UNANSWERED_OF_CALL = 5;
const MOST_UNANSWERED = 200;

export interface CallSoundPublisher {
  /** Never waits. False: dropped, because Redis is away or slow. */
  publish(callId: CallId, message: Uint8Array): boolean;
}

/** Sends the sound of live calls. `redis` is used for sound alone: a late command of another kind would be late for sound. */
export function createCallSoundPublisher(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
}): CallSoundPublisher {
  const { redis, prefix = DEFAULT_QUEUE_PREFIX } = options;
  const bounds = { mostOfChannel: MOST_UNANSWERED_OF_CALL, mostInAll: MOST_UNANSWERED };
  const publisher = createBoundedPublisher({ redis, ...bounds });
  return { publish: (callId, message) => publisher.publish(soundChannel(prefix, callId), message) };
}

export interface CallSoundSubscriptions {
  /** Receives the sound of the call from now on. Returns the function that ends it. */
  follow(callId: CallId, onMessage: (message: Uint8Array) => void): () => void;
}

/** `redis` is a connection from `connectForWaiting`, for sound alone. */
export function createCallSoundSubscriptions(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
}): CallSoundSubscriptions {
  const { redis, prefix = DEFAULT_QUEUE_PREFIX } = options;
  const followers = createChannelFollowers(redis);
  return { follow: (callId, onMessage) => followers.follow(soundChannel(prefix, callId), onMessage) };
}
