import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeTemporaryDir, removeAbandonedDirs } from './temporary-dir.ts';

test('folders of dead runs are removed, folders of active runs are kept', async () => {
  const finished = spawn('true');
  await once(finished, 'close');
  const abandoned = await mkdtemp(join(tmpdir(), `outdial-test-${finished.pid}-`));
  const ours = await makeTemporaryDir();
  onTestFinished(() => rm(ours, { recursive: true }));

  await removeAbandonedDirs();
  await expect(stat(abandoned)).rejects.toThrow('ENOENT');
  expect((await stat(ours)).isDirectory()).toBe(true);
});
