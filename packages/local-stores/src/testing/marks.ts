import { Redis } from 'ioredis';
import { Client } from 'pg';

export interface Urls {
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** Writes a mark to both stores that a later start must find. */
export async function writeMarks(urls: Urls): Promise<void> {
  await withRedis(urls, (redis) => redis.set('mark', 'kept'));
  await withPostgres(urls, (client) => client.query(`CREATE TABLE mark AS SELECT 'kept' AS word`));
}

export async function readMarks(urls: Urls): Promise<{ redis: string | null; postgres: unknown }> {
  const redis = await withRedis(urls, (redis) => redis.get('mark'));
  const { rows } = await withPostgres(urls, (client) => client.query<{ word: string }>('SELECT word FROM mark'));
  return { redis, postgres: rows[0]?.word };
}

async function withRedis<T>({ redisUrl }: Urls, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

export async function withPostgres<T>({ databaseUrl }: Urls, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
