import type { Session, SessionDirectory } from '@outdial/identity';
import { type Clock, createFreshCache } from '@outdial/kernel';
import type { UnknownCredentials } from '../http/unknown-credentials.ts';

/** Sessions as requests need them. */
export interface Sessions {
  /** As it was half a second ago at most: what a session loses, it loses on every process within a second. */
  find(digest: string): Promise<Session | null>;
  /** The same for a cookie of this address, which may be any: what is not stored costs little. @throws ApiError */
  findFrom(digest: string, address: string): Promise<Session | null>;
  /** As it is. */
  findNow(digest: string): Promise<Session | null>;
}

const MAX_AGE_MS = 500;
/** What took longer to read is refused: it could be older than promised. */
const MAX_READ_MS = 1_000;
const MAX_SESSIONS = 10_000;

export function createSessions(source: SessionDirectory, clock: Clock, unknown: UnknownCredentials): Sessions {
  const bounds = { clock, maxAgeMs: MAX_AGE_MS, maxReadMs: MAX_READ_MS, maxEntries: MAX_SESSIONS };
  const cache = createFreshCache<Session | null>(bounds);
  const find = (digest: string) => cache(digest, () => source.findSession(digest));
  /** Those that were found lately: they are not held against anybody. */
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
