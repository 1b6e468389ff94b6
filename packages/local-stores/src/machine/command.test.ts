import { expect, test } from 'vitest';

import { runCommand } from './command.ts';
import { identifyProcess } from './process-record.ts';

test('a command that takes too long is ended and counts as failed', async () => {
  const result = await runCommand('/bin/sh', ['-c', 'echo $$; exec sleep 600'], { timeoutMs: 200 });
  expect(result).toMatchObject({ succeeded: false, stderr: expect.stringContaining('Command failed') });
  await expect.poll(() => identifyProcess(Number(result.stdout))).toBeUndefined();
});

test('a command that cannot be started fails with the reason', async () => {
  const result = await runCommand('/no/such/program', []);
  expect(result).toEqual({ succeeded: false, stdout: '', stderr: 'spawn /no/such/program ENOENT' });
});

test('a command that reads an answer gets none, instead of waiting for one', async () => {
  expect(await runCommand('cat', [], { timeoutMs: 5_000 })).toEqual({ succeeded: true, stdout: '', stderr: '' });
});
