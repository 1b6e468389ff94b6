import type { Clock } from '@outdial/kernel';

/** The user's requests to stop. */
export interface StopSignals {
  /** Aborts at the first Ctrl-C (or SIGTERM, or a closed terminal). */
  readonly requested: AbortSignal;
  /** Aborts at the next one: stop without waiting. */
  readonly forced: AbortSignal;
}

/** One press may arrive several times: npm's wrapper forwards what reaches it from the terminal and from npm. */
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
