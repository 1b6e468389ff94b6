import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Runs one of the programs in bootstrap/, as npm does. */
function run(name: string, args: readonly string[]) {
  const path = fileURLToPath(new URL(`../bootstrap/${name}.mjs`, import.meta.url));
  return new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [path, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

it.each(['bench', 'chaos-model'])('%s --help prints the usage and succeeds', async (name) => {
  const { code, stdout, stderr } = await run(name, ['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`Usage: npm run ${name.replace('-', ':')}`);
});

it('a wrong argument is rejected in one sentence with the usage, without a stack', async () => {
  const { code, stdout, stderr } = await run('chaos-model', ['--profile', 'nothing']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^There is no profile "nothing"\..*\n\nUsage: npm run chaos:model/);
  expect(stderr).not.toContain('    at ');
});
