import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A measured process. */
export interface Subprocess {
  readonly pid: number;
  /** Receives the process's messages other than `ready`, until the returned function is called. */
  onMessage(listener: (message: unknown) => void): () => void;
  send(message: string): void;
  stop(): Promise<void>;
}

export interface SubprocessOptions {
  /** The tree whose code runs. Default: this one. */
  readonly root?: string;
  /** Relative to the tree's root. */
  readonly entry: string;
  /** Runs the compiled JavaScript, as production does, instead of the sources. The caller has built it. */
  readonly isBuilt?: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** A module that the process loads first, relative to the repository's root. */
  readonly preload?: string;
  /** Receives each line of its standard output, which is then not shown. */
  readonly onLine?: (line: string) => void;
  /** Resolves once the process can be measured; by default when it sends `ready`. */
  readonly ready?: () => Promise<void>;
}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** An interrupted benchmark must leave nothing running, or the next measurement would share the machine with it. */
const END_WITH_PARENT = `${ROOT}/apps/cli/bootstrap/end-with-parent.mjs`;

export async function startSubprocess(options: SubprocessOptions): Promise<Subprocess> {
  const preloads = [END_WITH_PARENT, ...(options.preload === undefined ? [] : [`${ROOT}/${options.preload}`])];
  const { isBuilt = false, root = ROOT } = options;
  const entry = isBuilt ? options.entry.replace('/src/', '/dist/').replace(/\.ts$/, '.js') : options.entry;
  const fromSource = isBuilt ? [] : ['--conditions=@outdial/source', '--import=tsx'];
  const child = fork(`${root}/${entry}`, [], {
    cwd: root,
    execArgv: [...fromSource, '--expose-gc', ...preloads.map((path) => `--import=${path}`)],
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', LOG_LEVEL: 'error', ...options.env },
    stdio: ['ignore', options.onLine ? 'pipe' : 'inherit', 'inherit', 'ipc'],
  });
  if (child.stdout && options.onLine) createInterface({ input: child.stdout }).on('line', options.onLine);
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`${options.entry} ended with code ${String(code)} before it was ready`);
  });
  await Promise.race([options.ready ? options.ready() : readyMessage(child), died]);
  died.catch(() => {});
  return {
    pid: child.pid ?? 0,
    onMessage(listener) {
      child.on('message', listener);
      return () => void child.off('message', listener);
    },
    send: (message) => void child.send(message),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function readyMessage(child: ChildProcess): Promise<void> {
  for (;;) {
    const [message] = await once(child, 'message');
    if (message === 'ready') return;
  }
}
