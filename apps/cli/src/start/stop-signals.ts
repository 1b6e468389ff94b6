import type { Clock } from '@outdial/kernel';

/** What the person at the terminal wants, as it comes in. */
export interface StopSignals {
  /** Aborts at the first Ctrl-C (or SIGTERM, or a closed terminal). */
  readonly requested: AbortSignal;
  /** Aborts at the next one: do not wait any longer. */
  readonly forced: AbortSignal;
}

/** One press arrives more than once: the process above passes on what reaches it from the terminal and from npm. */
const SAME_PRESS_MS = 1_000;

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
    if (nowMs - firstAtMs < SAME_PRESS_MS) requested.abort();
    else forced.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) source.on(signal, stop);
  return { requested: requested.signal, forced: forced.signal };
}

/** Resolves once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
