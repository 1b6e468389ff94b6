import { digestApiKey, isWellFormedApiKey, type KeyPepper } from '@outdial/calls';

export interface KeyDigests {
  /** Null for what cannot be a key. */
  of(key: string): Buffer | null;
  /** Whether it was found before. */
  isKnown(key: string): boolean;
  /** Keeps the digest of a key that was found, in this process's memory alone. */
  remember(key: string, digest: Buffer): void;
}

const MAX_KEYS = 1_000;

/**
 * Digests of keys. Those of keys in use are kept: a client sends the same key with every request, and to hash it each
 * time is a twentieth of what accepting a call costs. Strangers' guesses are not kept, so they push nothing out.
 */
export function createKeyDigests(pepper: KeyPepper): KeyDigests {
  const known = new Map<string, Buffer>();
  return {
    of(key) {
      const digest = known.get(key);
      if (digest) return digest;
      // The check digits are looked at first: typos and noise cost no hash and no look-up.
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
