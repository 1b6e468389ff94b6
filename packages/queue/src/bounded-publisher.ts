import type { RedisClient } from './redis-client.ts';

export interface BoundedPublisherOptions {
  readonly redis: RedisClient;
  /** Messages of one channel that Redis has not answered yet. */
  readonly mostOfChannel: number;
  readonly mostInAll: number;
}

export interface BoundedPublisher {
  /** Never waits. False: dropped, because Redis is away or slow. */
  publish(channel: string, message: Uint8Array): boolean;
}

/** Sends what is worth nothing once it is late: beyond its bounds it drops. */
export function createBoundedPublisher(options: BoundedPublisherOptions): BoundedPublisher {
  const { redis, mostOfChannel, mostInAll } = options;
  const unanswered = new Map<string, number>();
  let all = 0;

  function answered(channel: string): void {
    all -= 1;
    const left = (unanswered.get(channel) ?? 1) - 1;
    if (left === 0) unanswered.delete(channel);
    else unanswered.set(channel, left);
  }

  return {
    publish(channel, message) {
      const ofChannel = unanswered.get(channel) ?? 0;
      if (redis.status !== 'ready' || ofChannel >= mostOfChannel || all >= mostInAll) return false;
      all += 1;
      unanswered.set(channel, ofChannel + 1);
      const sent = redis.publish(channel, Buffer.from(message.buffer, message.byteOffset, message.length));
      sent.catch(() => undefined).finally(() => answered(channel));
      return true;
    },
  };
}
