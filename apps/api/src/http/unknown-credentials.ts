import { pause, type Clock } from '@outdial/kernel';
import { ApiError } from './api-error.ts';
import { networkOf } from './network-of.ts';

export interface UnknownCredentialsOptions {
  readonly clock: Clock;
  /** Which of these digests are stored, in one statement. */
  readonly findStored: (digests: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Limits the Postgres look-ups of keys and cookies that this process does not know. */
export interface UnknownCredentials {
  /**
   * Looks up a credential with `read`, which returns null if it is not stored. An address that has sent few unknown
   * ones does not wait. Credentials of other addresses are first looked up together in one statement, so that a valid
   * one is still found, a quarter of a second later.
   * @throws ApiError `rate_limited` if the address exceeds the capacity of that statement too
   */
  lookUp<Found>(address: string, digest: string, read: () => Promise<Found | null>): Promise<Found | null>;
}

/** Misses of a network that are looked up one by one. */
const MISSES = 50;
const WINDOW_MS = 60_000;
const MAX_NETWORKS = 10_000;
/** One statement serves every credential that arrives within this time. */
const TOGETHER_MS = 250;
const MAX_TOGETHER = 1_000;
const MAX_TOGETHER_OF_NETWORK = 200;

interface Count {
  misses: number;
  readonly untilMs: number;
}

/** The credentials of the next statement. */
interface Batch {
  readonly digests: Set<string>;
  readonly ofNetwork: Map<string, number>;
  readonly stored: Promise<ReadonlySet<string>>;
}

export function createUnknownCredentials({ clock, findStored }: UnknownCredentialsOptions): UnknownCredentials {
  const counts = new Map<string, Count>();
  let batch: Batch | null = null;

  function countOf(network: string): Count {
    const known = counts.get(network);
    if (known && clock.monotonicMs() < known.untilMs) return known;
    counts.delete(network);
    const oldest = counts.keys().next();
    if (counts.size >= MAX_NETWORKS && !oldest.done) counts.delete(oldest.value);
    const count = { misses: 0, untilMs: clock.monotonicMs() + WINDOW_MS };
    counts.set(network, count);
    return count;
  }

  function openBatch(): Batch {
    const digests = new Set<string>();
    const stored = pause(clock, TOGETHER_MS).then(() => {
      batch = null;
      return findStored([...digests]);
    });
    return { digests, ofNetwork: new Map(), stored };
  }

  async function lookUpTogether(network: string, digest: string): Promise<boolean> {
    batch ??= openBatch();
    const { digests, ofNetwork, stored } = batch;
    if (!digests.has(digest)) {
      const own = ofNetwork.get(network) ?? 0;
      if (digests.size >= MAX_TOGETHER || own >= MAX_TOGETHER_OF_NETWORK) throw tooManyUnknown();
      ofNetwork.set(network, own + 1);
      digests.add(digest);
    }
    return (await stored).has(digest);
  }

  return {
    async lookUp(address, digest, read) {
      const network = networkOf(address);
      const count = countOf(network);
      if (count.misses >= MISSES) return (await lookUpTogether(network, digest)) ? read() : null;
      // Counted before the result is known: in a burst no more get through than one by one.
      count.misses += 1;
      let isMiss = false;
      try {
        const found = await read();
        isMiss = found === null;
        return found;
      } finally {
        if (!isMiss) count.misses -= 1;
      }
    },
  };
}

/** Not a 401: the credential may be valid, and was not looked up. */
function tooManyUnknown(): ApiError {
  return new ApiError({
    code: 'rate_limited',
    publicMessage:
      'Your address sends too many requests with unknown credentials. Wait for the Retry-After period, then retry.',
    details: { scope: 'address' },
    retryAfterSeconds: 1,
  });
}
