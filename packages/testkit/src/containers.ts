import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';

import type { GivenUrls, RunStores } from './run-stores.ts';

const REDIS_IMAGE = 'redis:7.4-alpine';
const POSTGRES_IMAGE = 'postgres:18-alpine';

/**
 * Starts the stores without a given URL in containers. Testcontainers' reaper removes them even when the run is
 * killed; with `TESTCONTAINERS_RYUK_DISABLED` you must remove the containers of an interrupted run.
 */
export async function openContainers(given: GivenUrls): Promise<RunStores> {
  const [redis, postgres] = await Promise.allSettled([
    given.redisUrl === undefined ? startRedis() : undefined,
    given.databaseUrl === undefined ? startPostgres() : undefined,
  ]);
  const close = async () => {
    for (const result of [redis, postgres]) if (result.status === 'fulfilled') await result.value?.stop();
  };
  if (redis.status === 'rejected' || postgres.status === 'rejected') {
    await close();
    throw redis.status === 'rejected' ? redis.reason : postgres.status === 'rejected' && postgres.reason;
  }
  return {
    redisUrl: given.redisUrl ?? urlOf(redis.value, 'redis://', 6379, '/0'),
    databaseUrl: given.databaseUrl ?? urlOf(postgres.value, 'postgresql://outdial:outdial@', 5432, '/outdial'),
    description: `${redis.value ? `Redis in a container (${REDIS_IMAGE})` : 'Redis from the environment'}, ${
      postgres.value ? `Postgres in a container (${POSTGRES_IMAGE})` : 'Postgres from the environment'
    }`,
    close,
  };
}

function startRedis(): Promise<StartedTestContainer> {
  return new GenericContainer(REDIS_IMAGE)
    .withCommand(['redis-server', '--save', '', '--appendonly', 'no', '--databases', '512'])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start();
}

function startPostgres(): Promise<StartedTestContainer> {
  return (
    new GenericContainer(POSTGRES_IMAGE)
      .withEnvironment({ POSTGRES_USER: 'outdial', POSTGRES_PASSWORD: 'outdial', POSTGRES_DB: 'outdial' })
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
      .withExposedPorts(5432)
      // The image starts the server once for its own set-up, stops it, and then starts it again.
      .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
      .start()
  );
}

function urlOf(container: StartedTestContainer | undefined, prefix: string, port: number, path: string): string {
  if (!container) throw new Error('Internal error: a store has neither a URL nor a container.');
  return `${prefix}${container.getHost()}:${container.getMappedPort(port)}${path}`;
}
