import type { RedisClient } from './redis-client.ts';

export interface ChannelFollowers {
  /** Receives the messages of the channel from now on. Returns the function that ends it. */
  follow(channel: string, onMessage: (message: Uint8Array) => void): () => void;
}

/** One subscription for each channel, however many follow it. `redis` is a connection from `connectForWaiting`. */
export function createChannelFollowers(redis: RedisClient): ChannelFollowers {
  const followers = new Map<string, Set<(message: Uint8Array) => void>>();
  redis.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    for (const onMessage of followers.get(channel.toString()) ?? []) onMessage(message);
  });
  return {
    follow(channel, onMessage) {
      const ofChannel = followers.get(channel) ?? new Set();
      // A lost connection subscribes again by itself.
      if (ofChannel.size === 0) redis.subscribe(channel).catch(() => undefined);
      followers.set(channel, ofChannel.add(onMessage));
      return () => {
        if (!ofChannel.delete(onMessage) || ofChannel.size > 0) return;
        followers.delete(channel);
        redis.unsubscribe(channel).catch(() => undefined);
      };
    },
  };
}
