import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { builtPath } from '../testing/built-path.ts';
import { runCommand } from './command.ts';
import { identifyProcess } from './process-identity.ts';

test('a command leads its own process group, which Ctrl-C in our terminal does not reach', async () => {
  const { stdout } = await runCommand(process.execPath, ['-e', 'process.kill(-process.pid, 0); console.log("leads")']);
  expect(stdout).toBe('leads\n');
});

test('a command that takes too long is killed with all its children', async () => {
  const result = await runCommand('/bin/sh', ['-c', 'sleep 600 & echo $!; wait'], { timeoutMs: 200 });
  expect(result).toMatchObject({ succeeded: false, stderr: 'SIGKILL ended it' });
  await expect.poll(() => identifyProcess(Number(result.stdout))).toBeUndefined();
});

test('a command that still runs when we exit is asked to end', async () => {
  const script = builtPath(new URL('../testing/exit-during-command.ts', import.meta.url));
  const owner = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  owner.stdout.on('data', (text) => (stdout += String(text)));
  await once(owner, 'close');
  expect(Number(stdout)).toBeGreaterThan(0);
  await expect.poll(() => identifyProcess(Number(stdout))).toBeUndefined();
});

test('a command that cannot be started fails with the reason', async () => {
  const result = await runCommand('/no/such/program', []);
  expect(result).toEqual({ succeeded: false, stdout: '', stderr: 'spawn /no/such/program ENOENT' });
});
