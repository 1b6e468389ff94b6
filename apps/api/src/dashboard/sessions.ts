import type { Session, SessionDirectory } from '@outdial/identity';
import { type Clock, createFreshCache } from '@outdial/kernel';
import type { UnknownCredentials } from '../http/unknown-credentials.ts';

/** Sessions for requests. */
export interface Sessions {
  /** At most half a second old, so that every process applies a lost right within a second. */
  find(digest: string): Promise<Session | null>;
  /**
   * The same for a cookie from this address. A cookie may be invented, so an unknown one must be cheap.
   * @throws ApiError
   */
  findFrom(digest: string, address: string): Promise<Session | null>;
  /** Uncached. */
  findNow(digest: string): Promise<Session | null>;
}

const MAX_AGE_MS = 500;
/** A slower reading is rejected: it could be older than promised. */
const MAX_READ_MS = 1_000;
const MAX_SESSIONS = 10_000;

export function createSessions(source: SessionDirectory, clock: Clock, unknown: UnknownCredentials): Sessions {
  const bounds = { clock, maxAgeMs: MAX_AGE_MS, maxReadMs: MAX_READ_MS, maxEntries: MAX_SESSIONS };
  const cache = createFreshCache<Session | null>(bounds);
  const find = (digest: string) => cache(digest, () => source.findSession(digest));
  /** Tokens that were found lately. They count against no address. */
  const known = new Set<string>();

  async function lookUp(digest: string, address: string): Promise<Session | null> {
    const session = await unknown.lookUp(address, digest, () => find(digest));
    if (session !== null) remember(digest);
    return session;
  }

  function remember(digest: string): void {
    const [oldest] = known;
    if (known.size >= MAX_SESSIONS && oldest !== undefined) known.delete(oldest);
    known.add(digest);
  }

  return {
    find,
    async findFrom(digest, address) {
      if (!known.has(digest)) return lookUp(digest, address);
      const session = await find(digest);
      if (session === null) known.delete(digest);
      return session;
    },
    findNow: (digest) => source.findSession(digest),
  };
}
