import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));

/** `npm start` as a separate process. */
export interface StartedProduct {
  /** Its output so far. */
  output(): string;
  /** Resolves once it has printed `text`; rejects if it ends before. */
  printed(text: string): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ctrl-C in its terminal: reaches every process that shares the terminal with it. */
  pressCtrlC(): void;
  /** Resolves with the exit code, once all processes that share its output have ended. */
  readonly ended: Promise<number | null>;
}

/** Started as npm starts it, but without npm. */
export function startProduct(env: NodeJS.ProcessEnv, ...args: readonly string[]): StartedProduct {
  return start(process.execPath, [join(ROOT_DIR, 'apps/cli/bootstrap/start.mjs'), ...args], env);
}

/** Signals go to npm. */
export function startProductWithNpm(env: NodeJS.ProcessEnv): StartedProduct {
  return start('npm', ['start'], env);
}

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): StartedProduct {
  const child = spawn(command, args, {
    cwd: ROOT_DIR,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    // Its own group, as a terminal gives each command.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer) => {
    output += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    output: () => output,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!output.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended before it printed ${JSON.stringify(text)}:\n${output}`)));
      }),
    signal: (signal) => void child.kill(signal),
    pressCtrlC() {
      // Once it has ended its group is gone, and the number may belong to another group.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    },
    ended,
  };
}
