import { withDeadline } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';

export interface ReadingOptions<Value> {
  readonly clock: Clock;
  readonly read: () => Promise<Value>;
  /** Takes a reading over; null: it failed. */
  readonly show: (value: Value | null) => void;
}

/** Scrapes that come closer together than this share a reading, however many ask. */
export const CACHE_TTL_MS = 5_000;
/** A scrape waits no longer than this for a store. */
export const READ_TIMEOUT_MS = 2_000;

/**
 * A reading of a store for the sake of metrics: at most one at a time, and none for five seconds after one that
 * succeeded. One that hangs is not begun a second time. What was read last is not shown once it is known to be old:
 * better no figure than a false one.
 *
 * The function it returns never rejects.
 */
export function createReading<Value>({ clock, read, show }: ReadingOptions<Value>): () => Promise<void> {
  let underWay: Promise<Value> | null = null;
  let freshUntilMs = Number.NEGATIVE_INFINITY;

  return async () => {
    if (clock.monotonicMs() < freshUntilMs) return;
    underWay ??= read().finally(() => (underWay = null));
    try {
      const value = await withDeadline(clock, clock.monotonicMs() + READ_TIMEOUT_MS, underWay);
      if (clock.monotonicMs() < freshUntilMs) return;
      freshUntilMs = clock.monotonicMs() + CACHE_TTL_MS;
      show(value);
    } catch {
      show(null);
    }
  };
}
