// Runs a program of this repository and ends as it ends.
import { spawn } from 'node:child_process';
import { whenNpmEnds } from './end-with-npm.mjs';
import { rootDir } from './ensure-installed.mjs';

/**
 * `nodeArgs` name the program and what Node needs for it. Never returns before the program has ended.
 *
 * `isServer`: the program gets a process group of its own. Ctrl-C in a terminal reaches every process of our group at
 * once, also those that the program is just about to start; it then hears of Ctrl-C from us alone, and they do not.
 */
export async function runProgram(nodeArgs, { isServer = false } = {}) {
  const endWithParent = `--import=${new URL('end-with-parent.mjs', import.meta.url)}`;
  const child = spawn(process.execPath, [endWithParent, ...nodeArgs], {
    cwd: rootDir,
    detached: isServer,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // The program decides what a signal means, and has its own way to end; we only wait for it.
  // SIGWINCH: in a group of its own it would not learn that the terminal has another width.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGWINCH']) process.on(signal, () => child.kill(signal));
  whenNpmEnds(() => child.kill('SIGTERM'));
  process.exitCode = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
