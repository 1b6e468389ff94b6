import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serviceArgs } from '@outdial/testkit';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const IN_EVERY_THREAD = new URL('in-every-thread.mjs', import.meta.url).href;
const PRELOAD = new URL('under-fault.mjs', import.meta.url).href;

export interface SubprocessOptions {
  readonly name: string;
  /** The source of the program, relative to the repository's root. Its compiled output runs: see `openStack`. */
  readonly entry: string;
  /** Of the tree of another version that the program is of. */
  readonly root?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Its output is appended to this file. */
  readonly logPath: string;
}

/** A process of the product that faults are injected into. */
export interface Subprocess {
  readonly name: string;
  readonly pid: number;
  /** Resolves once it has logged a line with this message. @throws if it ends before */
  said(message: string): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Blocks its main thread for that long. */
  block(forMs: number): void;
  hasEnded(): boolean;
  /** Its exit code; null if a signal ended it. */
  ended: Promise<number | null>;
}

export function startSubprocess({ name, entry, root, env, logPath }: SubprocessOptions): Subprocess {
  const [program = entry, ...args] = serviceArgs(entry, root);
  const child = fork(program, args, {
    cwd: root ?? ROOT,
    execArgv: [`--import=${PRELOAD}`],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      NODE_OPTIONS: `--import=${IN_EVERY_THREAD}`,
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const output = keepLog(child, logPath);
  return {
    name,
    pid: child.pid ?? 0,
    async said(message) {
      await Promise.race([
        output.said(message),
        ended.then((code) => {
          throw new Error(`${name} ended with ${String(code)} before it logged "${message}": see ${logPath}`);
        }),
      ]);
    },
    signal: (signal) => void child.kill(signal),
    block: (forMs) => void child.send({ blockMs: forMs }),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
  };
}

/** Writes a process's output to a file, and reports messages as they are logged. */
function keepLog(child: ChildProcess, logPath: string) {
  const file = createWriteStream(logPath, { flags: 'a' });
  const waiting = new Set<{ readonly message: string; readonly wake: () => void }>();
  const said = new Set<string>();
  child.stderr?.pipe(file, { end: false });
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      file.write(`${line}\n`);
      const message = /"msg":"([^"]*)"/.exec(line)?.[1];
      if (message === undefined) return;
      said.add(message);
      for (const waiter of waiting) {
        if (waiter.message === message) waiter.wake();
      }
    });
  }
  child.once('close', () => file.end());
  return {
    async said(message: string): Promise<void> {
      if (said.has(message)) return;
      await new Promise<void>((wake) => waiting.add({ message, wake }));
    },
  };
}
