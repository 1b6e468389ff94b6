import { pause, type Clock } from '@outdial/kernel';
import { CliError } from '../cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { endText } from './end-text.ts';
import { logLineFormatter } from './log-lines.ts';
import type { Presence } from './readiness.ts';
import { startService, type ServiceEnd, type ServiceName } from './service-process.ts';
import { startUntilHeard } from './start-until-heard.ts';
import { aborted } from './stop-signals.ts';
import { supervise, type SupervisedService } from './supervise.ts';

export interface ServiceOptions {
  readonly name: ServiceName;
  /** The program as JavaScript, from the repository's root. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  /** How far the service is. Asked again and again until it is ready. */
  readonly look: () => Promise<Presence>;
  /** How long it may say nothing at all before it is started afresh. */
  readonly silenceLimitMs?: number;
  readonly terminal: Terminal;
  readonly clock: Clock;
}

export interface LaunchedService {
  readonly service: SupervisedService;
  /** Rejects with a CliError if the service ends before it was ever ready, or is not in time. */
  readonly ready: Promise<void>;
}

const READY_POLL_MS = 50;
const READY_LIMIT_MS = 60_000;
/** Ten times what a service needs to load on a machine that is busy. */
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
    start: () => startUntilHeard({ start, isListening, silenceLimitMs, clock, onSilent }),
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
    // An end before it was ever ready is not a crash but a reason not to start: trying again would only repeat it.
    void service.stop();
    throw new CliError(
      outcome === 'late'
        ? `The ${name} was not ready within a minute: start again with LOG_LEVEL=debug to see why.`
        : `The ${name} could not be started (${endText(outcome)}): see what it said above.`,
    );
  };
  return { service, ready: firstReady() };
}

/**
 * Stops services side by side. Once `forced` aborts or `limitMs` has passed, what still runs gets little time, and then
 * none: a service that waits for a store that is away would keep everything from stopping.
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

/** Each process that is started afresh has all of the time. */
async function becomesReady({ look, clock }: ServiceOptions, startedAtMs: () => number): Promise<'ready' | 'late'> {
  while (clock.monotonicMs() - startedAtMs() < READY_LIMIT_MS) {
    if ((await look()) === 'ready') return 'ready';
    await pause(clock, READY_POLL_MS);
  }
  return 'late';
}

function silenceNotice(terminal: Terminal, name: string, silenceLimitMs: number): string {
  return terminal.paint.warning(`The ${name} said nothing for ${silenceLimitMs / 1_000} s; starting it afresh.`);
}

function endNotice(terminal: Terminal, name: string, end: ServiceEnd, restartInMs: number | undefined): string {
  const what = `The ${name} ended (${endText(end)})`;
  if (restartInMs === undefined) return terminal.paint.bad(`${what}, for the fifth time in a row.`);
  return terminal.paint.warning(`${what}; starting it again in ${restartInMs / 1_000} s.`);
}
