import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { openStores, type LocalStores } from './open-stores.ts';
import { readMarks, writeMarks } from './testing/marks.ts';
import { testFolder, usedFolder, type UsedFolder } from './testing/test-folder.ts';

let used: UsedFolder;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

test('a second opener learns which process has the folder, and disturbs nothing', async () => {
  const dataDir = await used.copy();
  const first = await open(dataDir);
  await expect(openStores({ dataDir, profile: 'durable', announce: () => {} })).rejects.toThrow(
    `Process ${process.pid} already uses the data folder ${dataDir}: stop it first, or choose another folder with OUTDIAL_DATA_DIR.`,
  );
  await writeMarks(first);
  expect(await readMarks(first)).toEqual({ redis: 'kept', postgres: 'kept' });
});

test('a damaged Postgres folder is rejected in one sentence, and Redis is stopped', async () => {
  const dataDir = await used.copy();
  await rm(join(dataDir, 'postgres/cluster/global/pg_control'));
  const failure = openStores({ dataDir, profile: 'durable', announce: () => {} });
  await expect(failure).rejects.toThrow(
    new RegExp(`^The Postgres data folder ${dataDir}/postgres/cluster is damaged \\(.+\\): restore it from a backup`),
  );
  await expect(stat(join(dataDir, 'redis/redis.pid.json'))).rejects.toThrow('ENOENT');
  await expect(stat(join(dataDir, 'owner.json'))).rejects.toThrow('ENOENT');
});

test('a Postgres folder without its version is never overwritten', async () => {
  const dataDir = await used.copy();
  await rm(join(dataDir, 'postgres/cluster/PG_VERSION'));
  await expect(openStores({ dataDir, profile: 'durable', announce: () => {} })).rejects.toThrow(
    /is damaged \(its PG_VERSION file is missing\)/,
  );
});

test('damaged Redis data is rejected in one sentence that says to move it away', async () => {
  const dataDir = await used.copy();
  const first = await open(dataDir);
  await writeMarks(first);
  await first.close();
  const manifest = join(dataDir, 'redis/appendonlydir/appendonly.aof.manifest');
  await writeFile(manifest, 'this is no manifest\n');
  await expect(openStores({ dataDir, profile: 'durable', announce: () => {} })).rejects.toThrow(
    `The Redis data in ${dataDir}/redis is damaged, or a newer Redis wrote it: move that folder away and start again;`,
  );
});

test('a lost or changed password is rejected with its file', async () => {
  const dataDir = await used.copy();
  const passwordPath = join(dataDir, 'postgres/password');
  await writeFile(passwordPath, 'another\n');
  await expect(openStores({ dataDir, profile: 'durable', announce: () => {} })).rejects.toThrow(
    `The password in ${passwordPath} is not the one that the local Postgres was set up with`,
  );
  await rm(passwordPath);
  await expect(openStores({ dataDir, profile: 'durable', announce: () => {} })).rejects.toThrow(
    `The password of the local Postgres is missing: put ${passwordPath} back`,
  );
});

test('a data folder that is a file is rejected in one sentence', async () => {
  const dataDir = join(await testFolder(), 'file');
  await writeFile(dataDir, '');
  await expect(openStores({ dataDir, profile: 'durable', announce: () => {} })).rejects.toThrow(
    `The data folder ${dataDir} is not a folder: move that file away, or choose another folder with OUTDIAL_DATA_DIR.`,
  );
});

async function open(dataDir: string): Promise<LocalStores> {
  const stores = await openStores({ dataDir, profile: 'durable', announce: () => {} });
  onTestFinished(() => stores.close());
  return stores;
}
