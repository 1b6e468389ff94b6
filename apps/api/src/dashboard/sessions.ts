import type { Session, SessionDirectory } from '@outdial/identity';
import type { Clock } from '@outdial/kernel';
import { createFreshCache } from '@outdial/persistence';

/** Sessions as requests need them. */
export interface Sessions {
  /** As it was half a second ago at most: what a session loses, it loses on every process within a second. */
  find(digest: string): Promise<Session | null>;
  /** As it is. */
  findNow(digest: string): Promise<Session | null>;
}

const MAX_AGE_MS = 500;
/** What took longer to read is refused: it could be older than promised. */
const MAX_READ_MS = 1_000;
const MAX_SESSIONS = 10_000;

export function createSessions(source: SessionDirectory, clock: Clock): Sessions {
  const bounds = { clock, maxAgeMs: MAX_AGE_MS, maxReadMs: MAX_READ_MS, maxEntries: MAX_SESSIONS };
  const cache = createFreshCache<Session | null>(bounds);
  return {
    find: (digest) => cache(digest, () => source.findSession(digest)),
    findNow: (digest) => source.findSession(digest),
  };
}
