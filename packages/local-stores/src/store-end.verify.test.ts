import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { openStores, type LocalStores } from './open-stores.ts';
import { recordedServers } from './testing/holder-process.ts';
import { readMarks, withPostgres, writeMarks } from './testing/marks.ts';
import { usedFolder, type UsedFolder } from './testing/test-folder.ts';

let used: UsedFolder;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

async function open(dataDir: string): Promise<LocalStores> {
  const stores = await openStores({ dataDir, profile: 'durable', announce: () => {} });
  onTestFinished(() => stores.close());
  return stores;
}

describe.each(['Redis', 'Postgres'] as const)('%s', (name) => {
  const folder = name.toLowerCase();

  test('that is killed is reported with the end of its log, and the next start finds its data', async () => {
    const dataDir = await used.copy();
    const stores = await open(dataDir);
    await writeMarks(stores);
    // A connection gives a killed Postgres a child that has to notice.
    await withPostgres(stores, async () => {
      const pid = recordedServers(dataDir)[name === 'Redis' ? 0 : 1]?.pid ?? 0;
      process.kill(pid, 'SIGKILL');
      const end = await stores.ended;
      expect(end).toMatchObject({ name, how: 'SIGKILL', logPath: join(dataDir, folder, `${folder}.log`) });
      expect(end.lastLines.length).toBeGreaterThan(0);
      // The child may add lines while it ends.
      expect(await readFile(end.logPath, 'utf8')).toContain(end.lastLines.join('\n'));
    });
    await stores.close();
    expect(recordedServers(dataDir)).toEqual([undefined, undefined]);
    const next = await open(dataDir);
    expect([next.redisUrl, next.databaseUrl]).toEqual([stores.redisUrl, stores.databaseUrl]);
    expect(await readMarks(next)).toEqual({ redis: 'kept', postgres: 'kept' });
  });
});

test('stores that are closed are not reported', async () => {
  const stores = await open(await used.copy());
  let isReported = false;
  void stores.ended.then(() => (isReported = true));
  await stores.close();
  expect(isReported).toBe(false);
});
