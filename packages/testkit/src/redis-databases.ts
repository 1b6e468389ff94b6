import { Redis } from 'ioredis';

/**
 * The numbers of the free databases, stored in database 0. Tests get the others, so that no flush deletes this list.
 */
const FREE_NUMBERS = 'outdial:test:free-databases';

const WAIT_LIMIT_SECONDS = 30;

/**
 * Runs once per run: marks every database of the server except 0 as free, and forbids `FLUSHALL`. One file that calls it
 * would empty the databases of the files that run beside it.
 */
export async function offerRedisDatabases(redisUrl: string): Promise<void> {
  await withRedis(redisUrl, async (redis) => {
    const [, count] = await redis.config('GET', 'databases');
    const numbers = Array.from({ length: Number(count) - 1 }, (_, index) => index + 1);
    await redis.acl('SETUSER', 'default', '-flushall');
    await redis
      .multi()
      .del(FREE_NUMBERS)
      .rpush(FREE_NUMBERS, ...numbers)
      .exec();
  });
}

/** Takes an empty database; waits for one when all are in use. */
export async function takeRedisDatabase(redisUrl: string): Promise<string> {
  return withRedis(redisUrl, async (redis) => {
    const taken = await redis.blpop(FREE_NUMBERS, WAIT_LIMIT_SECONDS);
    if (!taken) {
      throw new Error(
        'Every Redis database is in use: close() the stores of testStores(), or configure more databases.',
      );
    }
    const number = Number(taken[1]);
    await redis.select(number);
    await redis.flushdb();
    return withRedisDatabase(redisUrl, number);
  });
}

/** Empties the database and frees it for the next file. */
export async function returnRedisDatabase(takenUrl: string): Promise<void> {
  const number = Number(new URL(takenUrl).pathname.slice(1));
  await withRedis(takenUrl, async (redis) => {
    await redis.flushdb();
    await redis.select(0);
    await redis.rpush(FREE_NUMBERS, number);
  });
}

function withRedisDatabase(redisUrl: string, number: number): string {
  const url = new URL(redisUrl);
  url.pathname = `/${number}`;
  return url.href;
}

async function withRedis<T>(redisUrl: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  await redis.connect();
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
