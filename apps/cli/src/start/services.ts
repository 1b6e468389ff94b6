import { pause, type Clock } from '@outdial/kernel';
import { CliError } from '../cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { endText } from './end-text.ts';
import { logLineFormatter } from './log-lines.ts';
import type { Presence } from './readiness.ts';
import { startService, type ServiceEnd, type ServiceName } from './service-process.ts';
import { startWithHangDetection } from './start-with-hang-detection.ts';
import { aborted } from './stop-signals.ts';
import { supervise, type SupervisedService } from './supervise.ts';

export interface ServiceOptions {
  readonly name: ServiceName;
  /** The compiled program, relative to the repository's root. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  /** How ready the service is. Polled until it is ready. */
  readonly look: () => Promise<Presence>;
  /** How long the service may stay silent before it is restarted. */
  readonly silenceLimitMs?: number;
  readonly terminal: Terminal;
  readonly clock: Clock;
}

export interface LaunchedService {
  readonly service: SupervisedService;
  /** Rejects with a CliError if the service ends before it was ready, or is not ready in time. */
  readonly ready: Promise<void>;
}

const READY_POLL_MS = 50;
const READY_LIMIT_MS = 60_000;
/** Ten times what a service needs to load on a busy machine. */
const SILENCE_LIMIT_MS = 20_000;
const FORCED_GRACE_MS = 10_000;

/** Starts a service and keeps it running once it has been ready. */
export function launchService(options: ServiceOptions): LaunchedService {
  const { name, look, silenceLimitMs = SILENCE_LIMIT_MS, terminal, clock } = options;
  const format = logLineFormatter(name, terminal.isInteractive);
  let wasReady = false;
  let startedAtMs = clock.monotonicMs();
  const start = () => {
    startedAtMs = clock.monotonicMs();
    return startService({ ...options, onLine: (line) => terminal.print(format(line)) });
  };
  const isListening = async () => (await look()) !== 'absent';
  const onSilent = () => terminal.print(silenceNotice(terminal, name, silenceLimitMs));
  const service = supervise({
    start: () => startWithHangDetection({ start, isListening, silenceLimitMs, clock, onSilent }),
    clock,
    onEnd: (end, restartInMs) => {
      if (wasReady) terminal.print(endNotice(terminal, name, end, restartInMs));
    },
  });
  const firstReady = async () => {
    const outcome = await Promise.race([service.current().ended, becomesReady(options, () => startedAtMs)]);
    if (outcome === 'ready') {
      wasReady = true;
      return;
    }
    // An exit before the service was ever ready is not a crash but a reason to stop: a retry would fail again.
    void service.stop();
    throw new CliError(
      outcome === 'late'
        ? `The ${name} was not ready within a minute: start again with LOG_LEVEL=debug to see why.`
        : `The ${name} could not be started (${endText(outcome)}): see its output above.`,
    );
  };
  return { service, ready: firstReady() };
}

/**
 * Stops services in parallel. Once `forced` aborts or `limitMs` has passed, the remaining ones get a short grace
 * period and are then killed: a service that waits for a missing store must not block the stop.
 */
export async function stopServices(
  services: readonly SupervisedService[],
  options: { readonly clock: Clock; readonly forced: AbortSignal; readonly limitMs: number },
): Promise<void> {
  const { clock, forced, limitMs } = options;
  const stopped = new AbortController();
  const signalAll = (signal: NodeJS.Signals) => {
    for (const service of services) service.current().signal(signal);
  };
  const cut = async () => {
    await Promise.race([aborted(forced), pause(clock, limitMs, stopped.signal)]);
    if (stopped.signal.aborted) return;
    signalAll('SIGTERM');
    await pause(clock, FORCED_GRACE_MS, stopped.signal);
    if (!stopped.signal.aborted) signalAll('SIGKILL');
  };
  void cut();
  await Promise.all(services.map((service) => service.stop()));
  stopped.abort();
}

/** Each restarted process gets the full time. */
async function becomesReady({ look, clock }: ServiceOptions, startedAtMs: () => number): Promise<'ready' | 'late'> {
  while (clock.monotonicMs() - startedAtMs() < READY_LIMIT_MS) {
    if ((await look()) === 'ready') return 'ready';
    await pause(clock, READY_POLL_MS);
  }
  return 'late';
}

function silenceNotice(terminal: Terminal, name: string, silenceLimitMs: number): string {
  return terminal.paint.warning(`The ${name} was silent for ${silenceLimitMs / 1_000} s; restarting it.`);
}

function endNotice(terminal: Terminal, name: string, end: ServiceEnd, restartInMs: number | undefined): string {
  const what = `The ${name} ended (${endText(end)})`;
  if (restartInMs === undefined) return terminal.paint.bad(`${what}, for the fifth time in a row.`);
  return terminal.paint.warning(`${what}; restarting it in ${restartInMs / 1_000} s.`);
}
