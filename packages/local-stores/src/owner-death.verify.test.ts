import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { identifyProcess, isRunning } from './machine/process-record.ts';
import { openStores, type LocalStores } from './open-stores.ts';
import { removeDataFolder } from './remove-data-folder.ts';
import { recordedServers, startHolder } from './testing/holder-process.ts';
import { readMarks, writeMarks } from './testing/marks.ts';
import { usedFolder, type UsedFolder } from './testing/test-folder.ts';

let used: UsedFolder;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

test('stores whose owner was killed end by themselves, and the next start finds their data', async () => {
  const dataDir = await used.copy();
  const holder = await startHolder(dataDir, 'hold');
  await writeMarks(holder.urls);
  expect(recordedServers(dataDir)).not.toContain(undefined);
  holder.process.kill('SIGKILL');
  await expect.poll(() => recordedServers(dataDir)).toEqual([undefined, undefined]);
  expect(await readMarks(await open(dataDir))).toEqual({ redis: 'kept', postgres: 'kept' });
});

test('a start right after its predecessor was killed waits for its stores to end, and finds their data', async () => {
  const dataDir = await used.copy();
  const holder = await startHolder(dataDir, 'hold');
  await writeMarks(holder.urls);
  holder.process.kill('SIGKILL');
  await once(holder.process, 'close');
  expect(await readMarks(await open(dataDir))).toEqual({ redis: 'kept', postgres: 'kept' });
});

test.each(['start', 'removal'])(
  'a server that outlived its owner and its guard is ended by the next %s',
  async (next) => {
    const dataDir = await used.copy();
    const servers = ['redis', 'postgres'].map((name) => {
      const server = spawn('sleep', ['600'], { stdio: 'ignore' });
      onTestFinished(() => void server.kill('SIGKILL'));
      const identity = identifyProcess(server.pid ?? 0);
      writeFileSync(join(dataDir, name, `${name}.pid.json`), JSON.stringify(identity));
      return identity;
    });
    expect(recordedServers(dataDir)).toEqual(servers);
    if (next === 'start') await open(dataDir);
    else await removeDataFolder(dataDir);
    for (const server of servers) expect(server && isRunning(server)).toBe(false);
    expect(existsSync(dataDir)).toBe(next === 'start');
  },
);

test('stores end with an owner that exits without closing them', async () => {
  const dataDir = await used.copy();
  const holder = await startHolder(dataDir, 'exit');
  expect(await holder.nextLine()).toBe('exits');
  await expect.poll(() => recordedServers(dataDir)).toEqual([undefined, undefined]);
});

test('Ctrl-C in a terminal does not stop stores that are still in use', async () => {
  const dataDir = await used.copy();
  const holder = await startHolder(dataDir, 'answer-interrupt');
  process.kill(-(holder.process.pid ?? 0), 'SIGINT');
  expect(await holder.nextLine()).toBe('Redis and Postgres answer');
  await once(holder.process, 'close');
  expect(recordedServers(dataDir)).toEqual([undefined, undefined]);
});

async function open(dataDir: string): Promise<LocalStores> {
  const stores = await openStores({ dataDir, profile: 'durable', announce: () => {} });
  onTestFinished(() => stores.close());
  return stores;
}
