import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openStores } from './open-stores.ts';
import { recordedServers, startOpening } from './testing/holder-process.ts';
import { readMarks, writeMarks } from './testing/marks.ts';
import { testFolder } from './testing/test-folder.ts';

async function unfinishedIn(dataDir: string): Promise<readonly string[]> {
  const postgresDir = join(dataDir, 'postgres');
  if (!existsSync(postgresDir)) return [];
  return (await readdir(postgresDir)).filter((name) => name.includes('unfinished'));
}

/** True while initdb runs or once it is done: in both cases the set-up was not cut off. */
async function isAtWork(dataDir: string): Promise<boolean> {
  const [unfinished = ''] = await unfinishedIn(dataDir);
  return existsSync(join(dataDir, 'postgres', unfinished, 'cluster'));
}

test('Ctrl-C in a terminal does not interrupt the set-up of Postgres', async () => {
  const dataDir = await testFolder();
  const opening = startOpening(dataDir, 'hold');
  // A newly forked process is in its parent's group for a moment; by now that moment is over.
  await expect.poll(() => isAtWork(dataDir), { interval: 1 }).toBe(true);
  process.kill(-(opening.process.pid ?? 0), 'SIGINT');
  const urls = await opening.urls();
  await writeMarks(urls);
  expect(await readMarks(urls)).toEqual({ redis: 'kept', postgres: 'kept' });
  opening.process.kill('SIGKILL');
  await expect.poll(() => recordedServers(dataDir)).toEqual([undefined, undefined]);
});

test('the next start removes what an interrupted set-up left behind, and succeeds', async () => {
  const dataDir = await testFolder();
  const left = join(dataDir, 'postgres', 'cluster.unfinished-1', 'cluster');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'PG_VERSION'), '18\n');
  const stores = await openStores({ dataDir, profile: 'fast', announce: () => {} });
  onTestFinished(() => stores.close());
  expect(await unfinishedIn(dataDir)).toEqual([]);
  await writeMarks(stores);
});
