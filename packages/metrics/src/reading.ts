import { type Clock, withDeadline } from '@outdial/kernel';

export interface ReadingOptions<Value> {
  readonly clock: Clock;
  readonly read: () => Promise<Value>;
  /** Receives the value of a reading; null if it failed. */
  readonly show: (value: Value | null) => void;
  /** `CACHE_TTL_MS` unless given. */
  readonly freshMs?: number | undefined;
}

/** Scrapes within this time share a reading, however many come. */
export const CACHE_TTL_MS = 5_000;
/** The longest time that a scrape waits for a store. */
export const READ_TIMEOUT_MS = 2_000;

/**
 * A reading of a store for metrics: at most one runs at a time, and none within five seconds of a successful one. A
 * reading that hangs is not started a second time. The last value is not shown once it is known to be old: no value is
 * better than a wrong one.
 *
 * The returned function never rejects.
 */
export function createReading<Value>({
  clock,
  read,
  show,
  freshMs = CACHE_TTL_MS,
}: ReadingOptions<Value>): () => Promise<void> {
  let underWay: Promise<Value> | null = null;
  let freshUntilMs = Number.NEGATIVE_INFINITY;

  return async () => {
    if (clock.monotonicMs() < freshUntilMs) return;
    underWay ??= read().finally(() => (underWay = null));
    try {
      const value = await withDeadline(clock, clock.monotonicMs() + READ_TIMEOUT_MS, underWay);
      if (clock.monotonicMs() < freshUntilMs) return;
      freshUntilMs = clock.monotonicMs() + freshMs;
      show(value);
    } catch {
      show(null);
    }
  };
}
