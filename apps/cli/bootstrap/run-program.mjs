// Runs a program of this repository and exits with its exit code.
import { spawn } from 'node:child_process';
import { whenNpmEnds } from './end-with-npm.mjs';
import { rootDir } from './ensure-installed.mjs';

/**
 * `nodeArgs` are the program and its Node options. Returns only after the program has ended.
 *
 * `isServer` puts the program into its own process group. Ctrl-C in a terminal signals every process of our
 * group at once, including those that the program is starting; in its own group the program receives Ctrl-C from us
 * alone and decides in which order its children stop.
 */
export async function runProgram(nodeArgs, { isServer = false } = {}) {
  const endWithParent = `--import=${new URL('end-with-parent.mjs', import.meta.url)}`;
  const child = spawn(process.execPath, [endWithParent, ...nodeArgs], {
    cwd: rootDir,
    detached: isServer,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // The program decides what a signal means; we only wait for its end. SIGWINCH is forwarded because a program in
  // another process group would not learn of a new terminal width.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGWINCH']) process.on(signal, () => child.kill(signal));
  whenNpmEnds(() => child.kill('SIGTERM'));
  process.exitCode = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
