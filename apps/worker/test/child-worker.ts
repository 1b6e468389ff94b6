import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serviceArgs } from '@outdial/testkit';
import type { WorkerTimings } from '../src/settings/timings.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A worker in its own process, which tests may kill. */
export interface ChildWorker {
  /** Resolves once it has logged a line with this message. */
  said(message: string): Promise<void>;
  /** Every log line with this message. */
  linesOf(message: string): readonly Readonly<Record<string, unknown>>[];
  /** The calls for which it logged this message. */
  callsOf(message: string): readonly string[];
  /** Every log line so far. */
  lines(): readonly Readonly<Record<string, unknown>>[];
  /** Its log lines at level `warn` and above. */
  alarms(): readonly Readonly<Record<string, unknown>>[];
  /** Everything that it has written. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Its standard error, once it has exited. */
  complaint(): Promise<string>;
  /** @returns its exit code, null if a signal ended it. */
  exited(): Promise<number | null>;
}

const running = new Set<ChildProcess>();

/** Ends what a failed test left running. */
export function killChildWorkers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** With the timings of the product, unless others are given. */
export function startChildWorker(environment: Readonly<Record<string, string>>, timings?: WorkerTimings): ChildWorker {
  const program = timings ? 'apps/worker/test/quick-worker.mjs' : 'apps/worker/src/main.ts';
  const child: ChildProcess = spawn(process.execPath, serviceArgs(program), {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      ...environment,
      ...(timings ? { TEST_WORKER_TIMINGS: JSON.stringify(timings) } : {}),
      LOG_LEVEL: environment['LOG_LEVEL'] === 'debug' ? 'debug' : 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exit = once(child, 'exit').finally(() => running.delete(child));
  let complaint = '';
  child.stderr?.on('data', (text) => (complaint += String(text)));
  const lines: Readonly<Record<string, unknown>>[] = [];
  let waiters: { readonly message: string; readonly wake: () => void }[] = [];
  const linesOf = (message: string) => lines.filter((line) => line['msg'] === message);
  const has = (message: string) => linesOf(message).length > 0;
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (text) => {
      lines.push(JSON.parse(text));
      for (const waiter of waiters) if (has(waiter.message)) waiter.wake();
      waiters = waiters.filter((waiter) => !has(waiter.message));
    });
  }
  return {
    async said(message) {
      if (!has(message)) await new Promise<void>((wake) => waiters.push({ message, wake }));
    },
    linesOf,
    callsOf: (message) => linesOf(message).map((line) => String(line['callId'])),
    lines: () => lines,
    alarms: () => lines.filter(({ level }) => level !== 'info' && level !== 'debug'),
    output: () => complaint + lines.map((line) => JSON.stringify(line)).join('\n'),
    signal: (signal) => void child.kill(signal),
    async complaint() {
      await exit;
      return complaint;
    },
    async exited() {
      const [code]: (number | null)[] = await exit;
      return code ?? null;
    },
  };
}
