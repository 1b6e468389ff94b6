import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseKeyPepper, parseSecretKey } from '@outdial/secrets';
import { callIdSchema } from '@outdial/contracts';
import { invariant, pause, systemClock } from '@outdial/kernel';
import { createDatabase } from '@outdial/persistence';
import { freePort, testStores } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { createApiClient } from '../src/demo-call/api-client.ts';
import { followCall } from '../src/demo-call/follow-call.ts';
import { seedDemo } from '../src/start/seed-demo.ts';

const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
const PEPPER_HEX = '7a'.repeat(32);
/** For a build without any cache. */
const LIMIT_MS = 300_000;

const run = promisify(execFile);

test(
  'the output of `npm run build` runs with node alone: migrate, api, worker, admin and dashboard, to the end of a call',
  async () => {
    await run('npm', ['run', 'build'], { cwd: ROOT_DIR, maxBuffer: 10_000_000 });
    const stores = await testStores();
    const dataDir = await mkdtemp(join(tmpdir(), 'outdial-build-'));
    const [port, healthPort] = [await freePort(), await freePort()];
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
      OUTDIAL_DATA_DIR: dataDir,
      OUTDIAL_KEY_PEPPER: PEPPER_HEX,
      OUTDIAL_DEFAULT_POLICY: 'open',
      OUTDIAL_SIMULATED_SPEED: '10',
      OUTDIAL_WORKER_HEALTH_PORT: String(healthPort),
      PORT: String(port),
      LOG_LEVEL: 'warn',
    };
    const built = (program: string, ...args: readonly string[]) =>
      run(process.execPath, [program, ...args], { cwd: ROOT_DIR, env });
    const service = (program: string) => spawn(process.execPath, [program], { cwd: ROOT_DIR, env, stdio: 'inherit' });

    expect((await built('packages/migrations/dist/main.js')).stdout).toBe('The database is up to date.\n');
    const demo = await seed(stores.databaseUrl, `http://127.0.0.1:${port}/api/v1`, join(dataDir, 'demo.json'));
    const services = [service('apps/api/dist/main.js'), service('apps/worker/dist/main.js')];
    try {
      await Promise.all([answers(`http://127.0.0.1:${port}/readyz`), answers(`http://127.0.0.1:${healthPort}/readyz`)]);
      const api = createApiClient({ baseUrl: demo.base_url, apiKey: demo.api_key, clock: systemClock });
      const request = { to_number: '+12025550100', agent_id: demo.agent_id, from_number: demo.from_number };
      const callId = callIdSchema.parse((await api.createCall(request, 'built')).id);
      for await (const _ of followCall(api, callId, systemClock, new AbortController().signal));
      expect(await api.getCall(callId)).toMatchObject({
        ended_reason: 'agent_hangup',
        recording_status: 'available',
      });
      const listed = await built('apps/cli/dist/admin/main.js', 'calls', 'list', '--account', demo.account_id);
      expect(listed.stdout).toContain(callId);
      expect(await (await fetch(`http://127.0.0.1:${port}/sign-in`)).text()).toContain('<div id="root">');
    } finally {
      await Promise.all(services.map(stop));
      await rm(dataDir, { recursive: true, force: true });
    }
    expect(services.map((child) => child.exitCode)).toEqual([0, 0]);
    await stores.close();
  },
  LIMIT_MS,
);

async function seed(databaseUrl: string, baseUrl: string, demoPath: string) {
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 2 });
  const pepper = parseKeyPepper(PEPPER_HEX);
  const secretKey = parseSecretKey(PEPPER_HEX);
  invariant(pepper && secretKey, 'both are 32 bytes');
  const modelsUrl = 'http://127.0.0.1:5090';
  const { demo } = await seedDemo({ database, pepper, secretKey, baseUrl, modelsUrl, demoPath });
  await database.close();
  return demo;
}

/** Resolves once the URL answers 200. The test's own limit bounds the wait. */
async function answers(url: string): Promise<void> {
  for (;;) {
    const isOk = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isOk) return;
    await pause(systemClock, 50);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
