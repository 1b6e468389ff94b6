export interface SpeechCache {
  get(key: string): Int16Array | undefined;
  put(key: string, samples: Int16Array): void;
}

/** The least recently used goes first once all together hold more than `maxBytes`; what alone is larger is not kept. */
export function createSpeechCache(maxBytes: number): SpeechCache {
  // A Map keeps the order of insertion: the first key is the one that was used longest ago.
  const kept = new Map<string, Int16Array>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= kept.get(key)?.byteLength ?? 0;
    kept.delete(key);
  }

  return {
    get(key) {
      const samples = kept.get(key);
      if (samples === undefined) return undefined;
      kept.delete(key);
      kept.set(key, samples);
      return samples;
    },
    put(key, samples) {
      drop(key);
      if (samples.byteLength > maxBytes) return;
      kept.set(key, samples);
      bytes += samples.byteLength;
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) return;
        drop(oldest);
      }
    },
  };
}
