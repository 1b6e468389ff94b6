import type { RedisOptions } from 'ioredis';

/** What a connection does while Redis is away. */
export interface Patience extends Pick<RedisOptions, 'commandTimeout' | 'connectTimeout'> {
  readonly connectTimeout: number;
  readonly maxRetriesPerRequest: number | null;
  /** Keeps commands until Redis is back; otherwise they fail at once. */
  readonly enableOfflineQueue: boolean;
}
