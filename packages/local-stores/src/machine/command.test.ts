import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { builtPath } from '../testing/built-path.ts';
import { runCommand } from './command.ts';
import { identifyProcess } from './process-identity.ts';

test('a command leads a process group of its own, which Ctrl-C in our terminal does not reach', async () => {
  const { stdout } = await runCommand(process.execPath, ['-e', 'process.kill(-process.pid, 0); console.log("leads")']);
  expect(stdout).toBe('leads\n');
});

test('a command that takes too long is killed with everything that it started', async () => {
  const result = await runCommand('/bin/sh', ['-c', 'sleep 600 & echo $!; wait'], { timeoutMs: 200 });
  expect(result).toMatchObject({ succeeded: false, stderr: 'SIGKILL ended it' });
  await expect.poll(() => identifyProcess(Number(result.stdout))).toBeUndefined();
});

test('a command that still runs when we end is told to end', async () => {
  const script = builtPath(new URL('../testing/exit-during-command.ts', import.meta.url));
  const owner = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  owner.stdout.on('data', (text) => (stdout += String(text)));
  await once(owner, 'close');
  expect(Number(stdout)).toBeGreaterThan(0);
  await expect.poll(() => identifyProcess(Number(stdout))).toBeUndefined();
});

test('a command that cannot be started has failed, and says why', async () => {
  const result = await runCommand('/no/such/program', []);
  expect(result).toEqual({ succeeded: false, stdout: '', stderr: 'spawn /no/such/program ENOENT' });
});
