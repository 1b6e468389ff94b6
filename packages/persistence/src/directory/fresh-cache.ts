import type { Clock } from '@outdial/kernel';

export interface FreshCacheOptions {
  readonly clock: Clock;
  /** An entry older than this is read again before it is served. */
  readonly maxAgeMs: number;
  /** A reading that took longer is refused: what it says may be older than promised. */
  readonly maxReadMs: number;
  /** The least recently used beyond this many are forgotten. */
  readonly maxEntries: number;
}

/** `previous` is what the last reading gave, however old. */
type Read<Value> = (previous: Value | undefined) => Promise<Value>;
export type FreshCache<Value> = (key: string, read: Read<Value>) => Promise<Value>;

interface Entry<Value> {
  /** Counted from before the read: what is read may have been changed the moment after. */
  readonly readAtMs: number;
  readonly value: Value;
}

/** Thrown instead of serving what may be out of date. */
export class StaleReadingError extends Error {
  constructor(tookMs: number) {
    super(`a reading took ${Math.round(tookMs)} ms: it may be out of date`);
    this.name = 'StaleReadingError';
  }
}

/**
 * An in-process cache that never serves what is older than `maxAgeMs`, or than a reading may take. Who asks for what
 * is being read already waits for that reading.
 */
export function createFreshCache<Value>(options: FreshCacheOptions): FreshCache<Value> {
  const { clock, maxAgeMs, maxReadMs, maxEntries } = options;
  // A Map keeps the order of insertion: the first key is the least recently used.
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
      // A slow reading may be overtaken by one that began after it and knows more.
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
    const underWay = readings.get(key);
    if (underWay && nowMs - underWay.startedAtMs <= maxAgeMs) return underWay.value;
    const value = refresh(key, read, nowMs);
    readings.set(key, { startedAtMs: nowMs, value });
    return value;
  };
}
