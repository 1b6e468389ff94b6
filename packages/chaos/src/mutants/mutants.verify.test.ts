import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MutantRunner } from './mutant-runner.ts';
import { MUTANTS } from './mutants.ts';

const LIMIT_MS = 600_000;

let servers: readonly PrivateServer[];
let runner: MutantRunner;
beforeAll(async () => {
  const [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  servers = [redis, postgres];
  runner = new MutantRunner({ redisUrl: redis.url, databaseUrl: postgres.url }, 0);
});
afterAll(async () => {
  await runner.close();
  for (const server of servers) await server.close();
});

test.for(Object.entries(MUTANTS))(
  'without its safeguard a promise breaks: %s',
  { timeout: LIMIT_MS },
  async ([, mutant]) => {
    expect((await runner.run(mutant))?.violations ?? []).not.toEqual([]);
  },
);
