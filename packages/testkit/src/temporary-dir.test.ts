import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeTemporaryDir, removeAbandonedDirs } from './temporary-dir.ts';

test('folders of dead runs are removed, folders of active runs are kept', async () => {
  const finished = spawn('true');
  await once(finished, 'close');
  const ours = await makeTemporaryDir();
  onTestFinished(() => rm(ours, { recursive: true }));
  // In memory where there is room; another run may have had none.
  const abandoned = await Promise.all(
    [dirname(ours), tmpdir()].map((dir) => mkdtemp(join(dir, `outdial-test-${finished.pid}-`))),
  );

  await removeAbandonedDirs();
  for (const dir of abandoned) await expect(stat(dir)).rejects.toThrow('ENOENT');
  expect((await stat(ours)).isDirectory()).toBe(true);
});
