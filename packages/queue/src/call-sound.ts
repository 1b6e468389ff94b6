import type { CallId } from '@outdial/contracts';
import { DEFAULT_QUEUE_PREFIX, soundChannel } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** Half a second of one call, and a share of many: what Redis has not taken by then is late anyway. */
const MOST_UNANSWERED_OF_CALL = 5;
const MOST_UNANSWERED = 200;

export interface CallSoundPublisher {
  /** Never waits. False: dropped, because Redis is away or slow. */
  publish(callId: CallId, message: Uint8Array): boolean;
}

/** Sends the sound of live calls. `redis` is used for nothing else: a late command of another kind would be late for sound. */
export function createCallSoundPublisher(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
}): CallSoundPublisher {
  const { redis, prefix = DEFAULT_QUEUE_PREFIX } = options;
  const unanswered = new Map<CallId, number>();
  let all = 0;

  function answered(callId: CallId): void {
    all -= 1;
    const left = (unanswered.get(callId) ?? 1) - 1;
    if (left === 0) unanswered.delete(callId);
    else unanswered.set(callId, left);
  }

  return {
    publish(callId, message) {
      const ofCall = unanswered.get(callId) ?? 0;
      if (redis.status !== 'ready' || ofCall >= MOST_UNANSWERED_OF_CALL || all >= MOST_UNANSWERED) return false;
      all += 1;
      unanswered.set(callId, ofCall + 1);
      const sent = redis.publish(
        soundChannel(prefix, callId),
        Buffer.from(message.buffer, message.byteOffset, message.length),
      );
      sent.catch(() => undefined).finally(() => answered(callId));
      return true;
    },
  };
}

export interface CallSoundSubscriptions {
  /** Receives the sound of the call from now on. Returns the function that ends it. */
  follow(callId: CallId, onMessage: (message: Uint8Array) => void): () => void;
}

/** One subscription for each call, however many follow it. `redis` is a connection from `connectForWaiting`, for this alone. */
export function createCallSoundSubscriptions(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
}): CallSoundSubscriptions {
  const { redis, prefix = DEFAULT_QUEUE_PREFIX } = options;
  const followers = new Map<string, Set<(message: Uint8Array) => void>>();
  redis.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    for (const onMessage of followers.get(channel.toString()) ?? []) onMessage(message);
  });
  return {
    follow(callId, onMessage) {
      const channel = soundChannel(prefix, callId);
      const ofCall = followers.get(channel) ?? new Set();
      // A lost connection subscribes again by itself.
      if (ofCall.size === 0) redis.subscribe(channel).catch(() => undefined);
      followers.set(channel, ofCall.add(onMessage));
      return () => {
        if (!ofCall.delete(onMessage) || ofCall.size > 0) return;
        followers.delete(channel);
        redis.unsubscribe(channel).catch(() => undefined);
      };
    },
  };
}
