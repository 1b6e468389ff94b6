import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callIdSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { removeDataFolder } from '@outdial/local-stores';
import { freePort } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { demoSchema } from '../src/instance/demo-file.ts';
import { createApiClient } from '../src/start/api-client.ts';
import { followCall } from '../src/start/follow-call.ts';
import { startProduct, type StartedProduct } from './started-product.ts';

/** Stores are set up and recover, and calls are had. */
const LIMIT_MS = 240_000;

let dataDir: string;
let product: StartedProduct;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-back-'));
  product = startProduct({
    OUTDIAL_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    OUTDIAL_CARRIER: 'simulated',
    OUTDIAL_SIMULATED_SPEED: '10',
  });
  await product.printed('Running.');
}, LIMIT_MS);
afterAll(async () => {
  product.signal('SIGTERM');
  await product.ended;
  await removeDataFolder(dataDir);
}, LIMIT_MS);

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(dataDir, path), 'utf8'));

async function killStore(store: 'redis' | 'postgres'): Promise<void> {
  const { pid } = z.object({ pid: z.number() }).parse(await readJson(`${store}/${store}.pid.json`));
  process.kill(pid, 'SIGKILL');
}

/** Why the next call has ended. */
async function callUntilEnded(): Promise<string | null> {
  const demo = demoSchema.parse(await readJson('demo.json'));
  const api = createApiClient({ baseUrl: demo.base_url, apiKey: demo.api_key, clock: systemClock });
  const { agent_id, from_number } = demo;
  const call = await api.createCall({ to_number: '+12025550105', agent_id, from_number }, randomUUID());
  const callId = callIdSchema.parse(call.id);
  for await (const _ of followCall(api, callId, systemClock, new AbortController().signal));
  return (await api.getCall(callId)).ended_reason;
}

const linesWith = (text: string) =>
  product
    .output()
    .split('\n')
    .filter((line) => line.includes(text));

test.each([
  ['redis', 'Redis'],
  ['postgres', 'Postgres'],
] as const)(
  '%s that is killed is started again, is told of in one line each way, and the next call is placed and ends',
  async (store, name) => {
    await killStore(store);
    await product.printed(`${name} ended (SIGKILL); starting it again.`);
    await product.printed(`${name} is back.`);
    for (const service of ['api', 'worker']) await product.printed(`(${service}): ${name} is back`);
    expect(await callUntilEnded()).toBe('callee_hangup');
    for (const service of ['api', 'worker']) {
      expect(linesWith(`(${service}): ${name} is away`)).toHaveLength(1);
      expect(linesWith(`(${service}): ${name} is back`)).toHaveLength(1);
    }
    expect(linesWith('    at ')).toEqual([]);
  },
  LIMIT_MS,
);
