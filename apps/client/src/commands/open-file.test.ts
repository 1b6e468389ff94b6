import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandError } from '../exit-code.ts';
import { openFile } from './open-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-file-'));
  await writeFile(join(folder, 'numbers.csv'), '+12025550143\n');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rm(folder, { recursive: true }));

test('a file is sent as it is', async () => {
  expect(await (await openFile(join(folder, 'numbers.csv'))).text()).toBe('+12025550143\n');
});

test.each([
  ['a missing file', 'missing.csv', /missing\.csv cannot be read: ENOENT/],
  ['a folder', '.', /is not a file/],
  ['a pipe, which would be sent as an empty file', 'pipe', /pass - and send it to standard input/],
])('%s is an error that says what to do', async (_, name, message) => {
  const opening = openFile(join(folder, name));
  await expect(opening).rejects.toThrow(CommandError);
  await expect(opening).rejects.toThrow(message);
});
