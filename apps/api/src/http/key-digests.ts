import { digestApiKey, isWellFormedApiKey, type KeyPepper } from '@outdial/secrets';

export interface KeyDigests {
  /** Null for a text that cannot be a key. */
  of(key: string): Buffer | null;
  /** Whether the key was found before. */
  isKnown(key: string): boolean;
  /** Caches the digest of a key that was found, in this process's memory alone. */
  remember(key: string, digest: Buffer): void;
}

const MAX_KEYS = 1_000;

/**
 * Digests of keys. Those of keys in use are cached: a client sends the same key with every request, and hashing it each
 * time takes a twentieth of the time of accepting a call. Unknown keys are not cached, so they evict nothing.
 */
export function createKeyDigests(pepper: KeyPepper): KeyDigests {
  const known = new Map<string, Buffer>();
  return {
    of(key) {
      const digest = known.get(key);
      if (digest) return digest;
      // Verify the check digits first: typos and noise cost neither a hash nor a look-up.
      return isWellFormedApiKey(key) ? digestApiKey(key, pepper) : null;
    },
    isKnown: (key) => known.has(key),
    remember(key, digest) {
      if (known.has(key)) return;
      const oldest = known.keys().next();
      if (known.size >= MAX_KEYS && !oldest.done) known.delete(oldest.value);
      known.set(key, digest);
    },
  };
}
