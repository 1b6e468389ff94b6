import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pause, type Clock } from '@outdial/kernel';
import { CliError, errorText } from '../cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { logLineFormatter } from './log-lines.ts';
import { programArgs, ROOT_DIR, type ServiceName } from './programs.ts';
import { aborted, type StopSignals } from './stop-signals.ts';

export interface ServiceOptions {
  readonly name: ServiceName;
  readonly env: NodeJS.ProcessEnv;
  /** Polled until it resolves to true. Never rejects. */
  readonly isReady: () => Promise<boolean>;
}

export interface Service {
  /** Resolves once the service is ready. @throws CliError at the limit, or the reason of a stop. */
  readonly ready: Promise<void>;
  /** Resolves once the service has ended and its output is shown. */
  readonly ended: Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

const READY_POLL_MS = 50;
const READY_LIMIT_MS = 60_000;
const FORCED_GRACE_MS = 10_000;

/**
 * Starts one of the product's services and shows its output. A service that ends stops the product.
 *
 * It gets its own process group: Ctrl-C in a terminal reaches every process of our group at once, and we must control
 * the order in which they stop.
 */
export function startService(
  { name, env, isReady }: ServiceOptions,
  { terminal, clock, stop }: { readonly terminal: Terminal; readonly clock: Clock; readonly stop: StopSignals },
): Service {
  const child = spawn(process.execPath, programArgs(name, 'main'), {
    cwd: ROOT_DIR,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const format = logLineFormatter(name, terminal.isInteractive);
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', (line) => terminal.print(format(line)));
  }
  let wasReady = false;
  const ended = new Promise<void>((resolve) => {
    const end = (how: string) => {
      const what = wasReady ? 'ended' : 'could not be started';
      stop.fail(new CliError(`The ${name} ${what} (${how}): see its output above, and start again.`));
      resolve();
    };
    child.once('error', (error) => end(errorText(error)));
    // `close` and not `exit`: `close` comes after the last line was read.
    child.once('close', (code, signal) => end(signal ?? `exit code ${code}`));
  });
  const becomesReady = async () => {
    const limitAtMs = clock.monotonicMs() + READY_LIMIT_MS;
    while (!(await isReady())) {
      if (clock.monotonicMs() >= limitAtMs) {
        throw new CliError(`The ${name} was not ready within a minute: start again, with LOG_LEVEL=debug to see why.`);
      }
      await pause(clock, READY_POLL_MS, stop.requested);
      stop.requested.throwIfAborted();
    }
    wasReady = true;
  };
  const ready = becomesReady();
  // The caller may await another service first.
  ready.catch(() => {});
  return { ready, ended, signal: (signal) => void child.kill(signal) };
}

/**
 * Stops services in parallel. Once `forced` aborts or `limitMs` has passed, the remaining ones get a short grace
 * period and are then killed: a service that waits for a missing store must not block the stop.
 */
export async function stopServices(
  services: readonly Pick<Service, 'ended' | 'signal'>[],
  options: { readonly clock: Clock; readonly forced: AbortSignal; readonly limitMs: number },
): Promise<void> {
  const { clock, forced, limitMs } = options;
  const done = new AbortController();
  const allEnded = Promise.all(services.map(({ ended }) => ended)).then(() => done.abort());
  const signalAll = (signal: NodeJS.Signals) => {
    if (!done.signal.aborted) for (const service of services) service.signal(signal);
  };
  signalAll('SIGTERM');
  await Promise.race([aborted(forced), pause(clock, limitMs, done.signal)]);
  // To a service that still drains, a second SIGTERM means: now.
  signalAll('SIGTERM');
  await pause(clock, FORCED_GRACE_MS, done.signal);
  signalAll('SIGKILL');
  await allEnded;
}
