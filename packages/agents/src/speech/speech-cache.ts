export interface SpeechCache {
  get(key: string): Int16Array | undefined;
  put(key: string, samples: Int16Array): void;
}

/** Evicts the least recently used entries above `maxBytes` in total; a larger entry is not cached. */
export function createSpeechCache(maxBytes: number): SpeechCache {
  // A Map keeps insertion order: the first key is the least recently used.
  const entries = new Map<string, Int16Array>();
  let bytes = 0;

  function evict(key: string): void {
    bytes -= entries.get(key)?.byteLength ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const samples = entries.get(key);
      if (samples === undefined) return undefined;
      entries.delete(key);
      entries.set(key, samples);
      return samples;
    },
    put(key, samples) {
      evict(key);
      if (samples.byteLength > maxBytes) return;
      entries.set(key, samples);
      bytes += samples.byteLength;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) return;
        evict(oldest);
      }
    },
  };
}
