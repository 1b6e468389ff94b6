import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { invariant } from '@outdial/kernel';
import { serviceArgs } from '@outdial/testkit';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const POLL_MS = 100;
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The API or a worker, in its own process. */
export interface Service {
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Its program, relative to the root. */
  readonly main: string;
  readonly env: Readonly<Record<string, string>>;
  /** Answers 200 once it is ready. */
  readonly readyUrl: string;
}

/** @throws if it ends before it is ready. */
export async function startService({ main, env, readyUrl }: ServiceOptions): Promise<Service> {
  const child = spawn(process.execPath, serviceArgs(main), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  running.add(child);
  const exited = once(child, 'exit').finally(() => running.delete(child));
  while (!(await fetch(readyUrl).catch(() => null))?.ok) {
    invariant(child.exitCode === null && child.signalCode === null, `${main} goes on until it is ready`);
    await sleep(POLL_MS);
  }
  return {
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
