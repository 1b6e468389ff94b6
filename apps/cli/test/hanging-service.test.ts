import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataFolder } from '@outdial/local-stores';
import { fakeClock, testStores } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../src/start/port.ts';
import { presenceOn } from '../src/start/readiness.ts';
import { launchService, type LaunchedService } from '../src/start/services.ts';
import { createTerminal } from '../src/terminal/terminal.ts';
import { startProduct, type StartedProduct } from './started-product.ts';

const LIMIT_MS = 600_000;
const SILENCE_LIMIT_MS = 20_000;

let dataDir: string;
let hungPath: string;
let launched: LaunchedService | undefined;
let product: StartedProduct | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-hang-'));
  await chmod(dataDir, 0o711);
  hungPath = join(dataDir, 'hung');
});
afterEach(async () => {
  await launched?.service.stop();
  product?.signal('SIGTERM');
  await product?.ended;
  [launched, product] = [undefined, undefined];
  await removeDataFolder(dataDir);
});

/** The first process that runs this program hangs before anything of it is loaded. */
const hangOnce = (program: string) => ({
  NODE_OPTIONS: `--import=${new URL('hang-once.mjs', import.meta.url).href}`,
  HANG_ONCE_FILE: hungPath,
  HANG_ONCE_PROGRAM: program,
});

const hangs = () => expect.poll(() => existsSync(hungPath)).toBe(true);

async function isHungAlive(): Promise<boolean> {
  try {
    return process.kill(Number(await readFile(hungPath, 'utf8')), 0);
  } catch {
    return false;
  }
}

test('a service whose first process hangs before it is loaded is ready all the same, and that is said', async () => {
  const clock = fakeClock();
  const port = await freePort();
  const printed: string[] = [];
  const entry = 'apps/callee/src/main.ts';
  launched = launchService({
    name: 'callee',
    entry,
    env: { PATH: process.env['PATH'], OUTDIAL_CALLEE_SIP_PORT: String(port), LOG_LEVEL: 'warn', ...hangOnce(entry) },
    look: () => presenceOn('127.0.0.1', port),
    silenceLimitMs: SILENCE_LIMIT_MS,
    terminal: createTerminal({ write: (text) => printed.push(text) > 0 }, {}),
    clock,
  });
  let isReady = false;
  const ready = launched.ready.then(() => (isReady = true));
  await hangs();
  await clock.advance(SILENCE_LIMIT_MS);
  await expect.poll(isHungAlive).toBe(false);
  const turn = async () => {
    // Slower than time itself: the second process has several times the limit to be there.
    await clock.advance(50);
    return isReady;
  };
  await expect.poll(turn, { interval: 250 }).toBe(true);
  await ready;
  expect(printed).toEqual(['The callee said nothing for 20 s; starting it afresh.\n']);
});

test.each(['apps/worker/src/main.ts', 'apps/worker/src/check-config.ts'])(
  'Ctrl-C while %s hangs ends everything in good order, the hanging process too',
  async (program) => {
    const stores = await testStores();
    product = startProduct({
      OUTDIAL_DATA_DIR: dataDir,
      PORT: String(await freePort()),
      OUTDIAL_CARRIER: 'simulated',
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
      ...hangOnce(program),
    });
    await hangs();
    product.pressCtrlC();
    expect(await product.ended).toBe(0);
    expect(product.output()).not.toContain('✗');
    expect(await isHungAlive()).toBe(false);
    await stores.close();
  },
  LIMIT_MS,
);
