import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { testFolder } from '../testing/test-folder.ts';
import { claimDataFolder, folderFailure, takeOverPath } from './data-folder.ts';

const deadRecord = (startToken: string) => JSON.stringify({ pid: process.pid, startToken });
const claimAtOnce = (dataDir: string, count: number) =>
  Promise.allSettled(Array.from({ length: count }, () => claimDataFolder(dataDir)));
const holdersAmong = (claims: readonly PromiseSettledResult<unknown>[]) =>
  claims.filter(({ status }) => status === 'fulfilled');

test('of many claimants that find a dead owner at once, exactly one gets the folder, every time', async () => {
  const dataDir = await testFolder();
  for (let round = 0; round < 50; round += 1) {
    await writeFile(join(dataDir, 'owner.json'), deadRecord(`an earlier process ${round}`));
    expect(holdersAmong(await claimAtOnce(dataDir, 20))).toHaveLength(1);
  }
  expect(await readdir(dataDir)).toEqual(['owner.json']);
});

test('a process that died while it took over a dead owner’s folder does not block the folder', async () => {
  const dataDir = await testFolder();
  const lockPath = join(dataDir, 'owner.json');
  const [owner, heir] = [deadRecord('an earlier process'), deadRecord('another one')];
  await writeFile(lockPath, owner);
  await writeFile(takeOverPath(lockPath, owner), heir);
  expect(holdersAmong(await claimAtOnce(dataDir, 20))).toHaveLength(1);
  expect(await readdir(dataDir)).toEqual(['owner.json']);
});

test('a released folder can be claimed again', async () => {
  const dataDir = join(await testFolder(), 'made/on/the/way');
  const first = await claimDataFolder(dataDir);
  await first.release();
  const second = await claimDataFolder(dataDir);
  expect((await stat(join(dataDir, 'owner.json'))).isFile()).toBe(true);
  await second.release();
});

test('a folder where the system creates none is rejected in one sentence', async () => {
  await expect(claimDataFolder('/proc/outdial/data')).rejects.toThrow(
    'The data folder /proc/outdial/data cannot be created',
  );
});

test('a truncated owner record counts as no owner', async () => {
  const dataDir = await testFolder();
  await writeFile(join(dataDir, 'owner.json'), '{"pid": 1');
  await expect(claimDataFolder(dataDir)).resolves.toMatchObject({ path: dataDir });
});

test.each([
  ['EACCES', 'The data folder /data is not writable (EACCES: refused): give this account write permission, or'],
  ['EROFS', 'The data folder /data is not writable (EROFS: refused): give this account write permission, or'],
  ['ENOTDIR', 'The data folder /data is not a folder: move that file away, or'],
  ['ENOSPC', 'The data folder /data has no space left: free some, or'],
  ['ENOENT', 'The data folder /data cannot be created (ENOENT: refused): create its parent folder, or'],
])('%s becomes a sentence that says what to do', (code, beginning) => {
  const failure = folderFailure('/data', Object.assign(new Error(`${code}: refused`), { code }));
  expect(String(failure)).toBe(`StoreSetupError: ${beginning} choose another folder with OUTDIAL_DATA_DIR.`);
});

test('any other error is passed on unchanged', () => {
  const failure = new Error('something else');
  expect(folderFailure('/data', failure)).toBe(failure);
});
