import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { childProcesses } from './machine/child-processes.ts';
import { isRunning, type ProcessIdentity } from './machine/process-identity.ts';
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

test('stores whose owner and guards were killed are ended by the next start, which finds their data', async () => {
  const dataDir = await used.copy();
  const holder = await startHolder(dataDir, 'hold');
  await writeMarks(holder.urls);
  const servers = recordedServers(dataDir);
  killGuardsOf(holder.process, servers);
  holder.process.kill('SIGKILL');
  await once(holder.process, 'close');
  expect(recordedServers(dataDir)).toEqual(servers);

  expect(await readMarks(await open(dataDir))).toEqual({ redis: 'kept', postgres: 'kept' });
  for (const server of servers) expect(server && isRunning(server)).toBe(false);
});

test('removing a folder ends the stores that outlived their owner', async () => {
  const dataDir = await used.copy();
  const holder = await startHolder(dataDir, 'hold');
  const servers = recordedServers(dataDir);
  killGuardsOf(holder.process, servers);
  holder.process.kill('SIGKILL');
  await once(holder.process, 'close');

  await removeDataFolder(dataDir);
  expect(existsSync(dataDir)).toBe(false);
  for (const server of servers) expect(server && isRunning(server)).toBe(false);
});

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

/** The holder's children are the servers and their guards. */
function killGuardsOf(holder: ChildProcess, servers: readonly (ProcessIdentity | undefined)[]): void {
  const guards = childProcesses(holder.pid ?? 0).filter((pid) => !servers.some((server) => server?.pid === pid));
  expect(guards).toHaveLength(2);
  for (const guard of guards) process.kill(guard, 'SIGKILL');
}
