import type { Clock } from './clock.ts';

export interface FreshCacheOptions {
  readonly clock: Clock;
  /** An entry older than this is read again before it is served. */
  readonly maxAgeMs: number;
  /** A read that takes longer fails: its value may be older than promised. */
  readonly maxReadMs: number;
  /** The least recently used entries above this number are evicted. */
  readonly maxEntries: number;
}

/** `previous` is the last value, at any age. */
type Read<Value> = (previous: Value | undefined) => Promise<Value>;
export type FreshCache<Value> = (key: string, read: Read<Value>) => Promise<Value>;

interface Entry<Value> {
  /** Counted from before the read: the row may change right after it is read. */
  readonly readAtMs: number;
  readonly value: Value;
}

/** Thrown instead of serving a value that may be out of date. */
export class StaleReadingError extends Error {
  constructor(tookMs: number) {
    super(`a read took ${Math.round(tookMs)} ms: it may be out of date`);
    this.name = 'StaleReadingError';
  }
}

/**
 * An in-process cache that never serves a value older than `maxAgeMs` plus the time of a read. Concurrent lookups of a
 * key share a read.
 */
export function createFreshCache<Value>(options: FreshCacheOptions): FreshCache<Value> {
  const { clock, maxAgeMs, maxReadMs, maxEntries } = options;
  // A Map keeps insertion order: the first key is the least recently used.
  const entries = new Map<string, Entry<Value>>();
  const readings = new Map<string, { readonly startedAtMs: number; readonly value: Promise<Value> }>();

  function keep(key: string, entry: Entry<Value>): void {
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size <= maxEntries) return;
    const oldest = entries.keys().next();
    if (!oldest.done) entries.delete(oldest.value);
  }

  async function refresh(key: string, read: Read<Value>, readAtMs: number): Promise<Value> {
    try {
      const value = await read(entries.get(key)?.value);
      const tookMs = clock.monotonicMs() - readAtMs;
      if (tookMs > maxReadMs) throw new StaleReadingError(tookMs);
      // A slow read may finish after one that started later and is newer.
      if ((entries.get(key)?.readAtMs ?? readAtMs) <= readAtMs) keep(key, { readAtMs, value });
      return value;
    } finally {
      if (readings.get(key)?.startedAtMs === readAtMs) readings.delete(key);
    }
  }

  return async (key, read) => {
    const nowMs = clock.monotonicMs();
    const entry = entries.get(key);
    if (entry && nowMs - entry.readAtMs <= maxAgeMs) {
      keep(key, entry);
      return entry.value;
    }
    const inFlight = readings.get(key);
    if (inFlight && nowMs - inFlight.startedAtMs <= maxAgeMs) return inFlight.value;
    const value = refresh(key, read, nowMs);
    readings.set(key, { startedAtMs: nowMs, value });
    return value;
  };
}
