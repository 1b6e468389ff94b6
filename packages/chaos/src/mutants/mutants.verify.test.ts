import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { runMutated, toRun } from './run-mutated.ts';
import { scratchWorkspace } from './scratch-workspace.ts';

const LIMIT_MS = 600_000;

let redis: PrivateServer;
let postgres: PrivateServer;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
});
afterAll(() => Promise.all([redis.close(), postgres.close()]));

test.for(Object.entries(MUTANTS))(
  'without its safeguard a promise breaks: %s',
  { timeout: LIMIT_MS },
  async ([, { patches, ...proof }]) => {
    const workspace = await scratchWorkspace(patches);
    try {
      const servers = { redisUrl: redis.url, databaseUrl: postgres.url };
      const broken = await runMutated(workspace, { servers, pair: 0, proof: toRun(proof) });
      expect(broken?.violations ?? []).not.toEqual([]);
    } finally {
      await workspace.remove();
    }
  },
);
