import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { removeDataFolder } from '@outdial/local-stores';
import { freePort } from '@outdial/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SAME_PRESS_MS } from '../src/start/stop-signals.ts';
import { startProduct, type StartedProduct } from './started-product.ts';

const LIMIT_MS = 600_000;

let dataDir: string;
let env: NodeJS.ProcessEnv;
let launched: StartedProduct[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-stop-'));
  // As `npm start` creates it: when root runs the product, Postgres must be able to traverse the folder.
  await chmod(dataDir, 0o711);
  env = {
    OUTDIAL_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    OUTDIAL_MODELS_PORT: String(await freePort()),
  };
  launched = [];
});
afterEach(async () => {
  for (const product of launched) {
    product.signal('SIGTERM');
    await product.ended;
  }
  await removeDataFolder(dataDir);
});

function launch(start: () => StartedProduct): StartedProduct {
  const product = start();
  launched.push(product);
  return product;
}

async function isSettingUp(): Promise<boolean> {
  const dir = join(dataDir, 'postgres');
  return existsSync(dir) && (await readdir(dir)).some((name) => name.startsWith('cluster.unfinished'));
}

/**
 * Presses Ctrl-C while Postgres is being set up. If the set-up finished before this process could react, it repeats
 * it.
 */
async function interruptSetUp(): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  for (;;) {
    const product = launch(() => startProduct(env));
    const isSetUp = () => product.output().includes('✓ Stores');
    await expect.poll(async () => isSetUp() || (await isSettingUp()), { interval: 1 }).toBe(true);
    const cameTooLate = isSetUp();
    product.pressCtrlC();
    const exitCode = await product.ended;
    if (!cameTooLate) return { exitCode, output: product.output() };
    await removeDataFolder(dataDir);
    await mkdir(dataDir, { mode: 0o711 });
  }
}

describe('Ctrl-C before the stores are open', () => {
  test(
    'is not reported as a disk error, and the next start finds nothing incomplete',
    async () => {
      expect(await interruptSetUp()).toEqual({
        exitCode: 0,
        output: expect.stringMatching(
          /^[^✗]*Stopping once the stores are set up; press Ctrl-C again to stop now\.[^✗]*$/,
        ),
      });
      const next = launch(() => startProduct(env));
      await next.printed('✓ Stores');
      next.pressCtrlC();
      expect(await next.ended).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'pressed again ends the wait for a store at once',
    async () => {
      const binDir = join(dataDir, 'bin');
      await mkdir(binDir);
      const silentRedis =
        '#!/bin/sh\n[ "$1" = --version ] && echo "Redis server v=7.0.15 sha=0" && exit\nexec sleep 600\n';
      await writeFile(join(binDir, 'redis-server'), silentRedis, { mode: 0o755 });
      const product = launch(() => startProduct({ ...env, PATH: `${binDir}${delimiter}${process.env['PATH']}` }));
      await product.printed('Waiting for Redis to load its data');
      product.pressCtrlC();
      await product.printed('Stopping once the stores are set up');
      // Presses within a second of each other count as one. One later press is enough, and no more are sent: Node stops
      // handling signals shortly before it exits, so a further one could kill the ending process.
      await setTimeout(SAME_PRESS_MS);
      product.pressCtrlC();
      expect(await product.ended).toBe(0);
      expect(product.output()).not.toContain('✗');
    },
    LIMIT_MS,
  );
});
