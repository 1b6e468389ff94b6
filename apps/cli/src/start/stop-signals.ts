import type { Clock } from '@outdial/kernel';
import type { CliError } from '../cli-error.ts';

/** What ends a start, or the product that it started. */
export interface StopSignals {
  /** Aborts at the first Ctrl-C (or SIGTERM, or a closed terminal) with `StopRequested`, or with the given failure. */
  readonly requested: AbortSignal;
  /** Aborts at the next Ctrl-C: stop without waiting. */
  readonly forced: AbortSignal;
  /** Stops the product because a part of it has failed. Later requests and failures keep this reason. */
  fail(error: CliError): void;
}

export class StopRequested extends Error {}

/** One press may arrive several times: npm's wrapper forwards what reaches it from the terminal and from npm. */
export const SAME_PRESS_MS = 1_000;

interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

export function listenForStop(source: SignalSource, clock: Clock): StopSignals {
  const requested = new AbortController();
  const forced = new AbortController();
  let firstAtMs: number | undefined;
  const stop = () => {
    const nowMs = clock.monotonicMs();
    firstAtMs ??= nowMs;
    if (nowMs - firstAtMs < SAME_PRESS_MS) requested.abort(new StopRequested());
    else forced.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) source.on(signal, stop);
  return { requested: requested.signal, forced: forced.signal, fail: (error) => requested.abort(error) };
}

/** Resolves once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
