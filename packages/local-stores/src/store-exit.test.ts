import { once } from 'node:events';
import { createServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { childProcesses } from './machine/child-processes.ts';
import { identifyProcess, isRunning } from './machine/process-identity.ts';
import type { ServerEnd } from './machine/server-process.ts';
import { openStores, type LocalStores, type StoreName } from './open-stores.ts';
import { recordedServers } from './testing/holder-process.ts';
import { readMarks, withPostgres, writeMarks } from './testing/marks.ts';
import { usedFolder, type UsedFolder } from './testing/test-folder.ts';

let used: UsedFolder;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

type Exit = readonly [store: StoreName, end: ServerEnd];

async function open(dataDir: string): Promise<LocalStores> {
  const stores = await openStores({ dataDir, profile: 'durable', announce: () => {} });
  onTestFinished(() => stores.close());
  return stores;
}

const nextExit = (stores: LocalStores) => new Promise<Exit>((resolve) => stores.onExit((...exit) => resolve(exit)));

function pidOf(dataDir: string, store: StoreName): number {
  const [redis, postgres] = recordedServers(dataDir);
  const pid = (store === 'redis' ? redis : postgres)?.pid;
  if (pid === undefined) throw new Error(`${store} is not running`);
  return pid;
}

describe.each(['redis', 'postgres'] as const)('%s', (store) => {
  test('that is killed is reported and comes back with its data at the same URL, every time', async () => {
    const dataDir = await used.copy();
    const stores = await open(dataDir);
    await writeMarks(stores);
    for (let round = 0; round < 2; round += 1) {
      const exit = nextExit(stores);
      process.kill(pidOf(dataDir, store), 'SIGKILL');
      expect(await exit).toEqual([store, { code: null, signal: 'SIGKILL' }]);
      await stores.restart(store);
      expect(await readMarks(stores)).toEqual({ redis: 'kept', postgres: 'kept' });
    }
  });

  test('that ended before a listener was added is still reported', async () => {
    const dataDir = await used.copy();
    const stores = await open(dataDir);
    const identity = identifyProcess(pidOf(dataDir, store));
    process.kill(pidOf(dataDir, store), 'SIGKILL');
    await expect.poll(() => identity && isRunning(identity)).toBe(false);
    expect(await nextExit(stores)).toEqual([store, { code: null, signal: 'SIGKILL' }]);
  });

  test('that is closed is not reported and not restarted', async () => {
    const dataDir = await used.copy();
    const stores = await open(dataDir);
    const exits: Exit[] = [];
    stores.onExit((...exit) => exits.push(exit));
    await stores.close();
    await stores.restart(store);
    expect(exits).toEqual([]);
    expect(recordedServers(dataDir)).toEqual([undefined, undefined]);
  });

  test('is not restarted at another port when its port is in use', async () => {
    const dataDir = await used.copy();
    const stores = await open(dataDir);
    const { port } = new URL(store === 'redis' ? stores.redisUrl : stores.databaseUrl);
    const exit = nextExit(stores);
    process.kill(pidOf(dataDir, store), 'SIGKILL');
    await exit;
    const occupier = createServer().listen(Number(port), '127.0.0.1');
    onTestFinished(() => void occupier.close());
    await once(occupier, 'listening');
    await expect(stores.restart(store)).rejects.toThrow(
      new RegExp(
        `^The port of (Redis|Postgres), ${port}, was taken by another program while .+: start Outdial again\\.$`,
      ),
    );
  });
});

test('a child of a killed Postgres no longer writes when the next server starts', async () => {
  const dataDir = await used.copy();
  const stores = await open(dataDir);
  const exit = nextExit(stores);
  await withPostgres(stores, async () => {
    const postmaster = pidOf(dataDir, 'postgres');
    // While stopped, they cannot notice that their parent is gone.
    const children = childProcesses(postmaster).map((pid) => identifyProcess(pid));
    expect(children.length).toBeGreaterThan(3);
    for (const child of children) if (child) process.kill(child.pid, 'SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    await exit;
    await stores.restart('postgres');
    expect(children.filter((child) => child && isRunning(child))).toEqual([]);
  });
});
