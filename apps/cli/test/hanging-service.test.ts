import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataFolder } from '@outdial/local-stores';
import { fakeClock, freePort, testStores, type FakeClock } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { presenceOn } from '../src/start/readiness.ts';
import { launchService, type LaunchedService } from '../src/start/services.ts';
import { createTerminal } from '../src/terminal/terminal.ts';
import { startProduct, type StartedProduct } from './started-product.ts';

const LIMIT_MS = 600_000;
const SILENCE_LIMIT_MS = 20_000;
const NOTICE = 'The callee was silent for 20 s; restarting it.\n';

let dataDir: string;
let hungPath: string;
let clock: FakeClock;
let printed: string[];
let launched: LaunchedService | undefined;
let product: StartedProduct | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-hang-'));
  // As `npm start` creates it: when root runs the product, Postgres must be able to traverse the folder.
  await chmod(dataDir, 0o711);
  hungPath = join(dataDir, 'hung');
  clock = fakeClock();
  printed = [];
});
afterEach(async () => {
  launched?.service.current().signal('SIGKILL');
  await launched?.service.stop();
  product?.signal('SIGTERM');
  await product?.ended;
  [launched, product] = [undefined, undefined];
  await removeDataFolder(dataDir);
});

/** The first processes that run this program hang before any of its code is loaded. */
const hang = (program: string, times = 1) => ({
  NODE_OPTIONS: `--import=${new URL('hang-at-start.mjs', import.meta.url).href}`,
  HANG_FILE: hungPath,
  HANG_PROGRAM: program,
  HANG_TIMES: String(times),
});

async function hungPids(): Promise<readonly number[]> {
  const text = await readFile(hungPath, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}
const hangsFor = (times: number) => expect.poll(async () => (await hungPids()).length).toBe(times);
const stillHanging = async () => (await hungPids()).filter(isAlive);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function launchCallee({ hangs }: { readonly hangs: number }): Promise<LaunchedService> {
  const port = await freePort();
  const entry = 'apps/callee/dist/main.js';
  launched = launchService({
    name: 'callee',
    entry,
    env: { PATH: process.env['PATH'], OUTDIAL_CALLEE_SIP_PORT: String(port), LOG_LEVEL: 'warn', ...hang(entry, hangs) },
    look: () => presenceOn('127.0.0.1', port),
    silenceLimitMs: SILENCE_LIMIT_MS,
    terminal: createTerminal({ write: (text) => printed.push(text) > 0 }, {}),
    clock,
  });
  return launched;
}

/** Checks repeatedly, and advances the clock by a step before each check. */
const whileTurning = (stepMs: number, look: () => Promise<unknown>) =>
  expect.poll(
    async () => {
      await clock.advance(stepMs);
      return look();
    },
    { interval: 250 },
  );

test('a service whose first process hangs while loading still becomes ready, and the restart is reported', async () => {
  const { ready } = await launchCallee({ hangs: 1 });
  let isReady = false;
  void ready.then(() => (isReady = true));
  await hangsFor(1);
  await clock.advance(SILENCE_LIMIT_MS);
  await expect.poll(stillHanging).toEqual([]);
  // More slowly than real time: the second process has several times its limit to load.
  await whileTurning(50, async () => isReady).toBe(true);
  expect(printed).toEqual([NOTICE]);
});

test('a service that hangs every time is restarted twice and then reported as not ready, and no process stays', async () => {
  const { ready } = await launchCallee({ hangs: 9 });
  const refusal = ready.catch((error: unknown) => String(error));
  for (const times of [1, 2]) {
    await hangsFor(times);
    await clock.advance(SILENCE_LIMIT_MS);
  }
  await hangsFor(3);
  await clock.advance(60_000);
  await whileTurning(1_000, stillHanging).toEqual([]);
  expect(await refusal).toContain('The callee was not ready within a minute');
  expect(await hungPids()).toHaveLength(3);
  expect(printed).toEqual([NOTICE, NOTICE]);
});

test.each(['apps/worker/dist/main.js', 'apps/worker/dist/check-config.js'])(
  'Ctrl-C while %s hangs stops everything in order, including the hanging process',
  async (program) => {
    const stores = await testStores();
    product = startProduct({
      OUTDIAL_DATA_DIR: dataDir,
      PORT: String(await freePort()),
      OUTDIAL_CARRIER: 'simulated',
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
      ...hang(program),
    });
    await hangsFor(1);
    product.pressCtrlC();
    expect(await product.ended).toBe(0);
    expect(product.output()).not.toContain('✗');
    expect(await stillHanging()).toEqual([]);
    await stores.close();
  },
  LIMIT_MS,
);
