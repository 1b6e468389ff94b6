import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openStores } from './open-stores.ts';
import { writeMarks } from './testing/marks.ts';
import { testFolder } from './testing/test-folder.ts';

test('the next start removes what an interrupted set-up left behind, and succeeds', async () => {
  const dataDir = await testFolder();
  const left = join(dataDir, 'postgres', 'cluster.unfinished-1', 'cluster');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'PG_VERSION'), '18\n');
  const stores = await openStores({ dataDir, profile: 'fast', announce: () => {} });
  onTestFinished(() => stores.close());
  expect((await readdir(join(dataDir, 'postgres'))).filter((name) => name.includes('unfinished'))).toEqual([]);
  await writeMarks(stores);
});
