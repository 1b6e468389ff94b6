import { DIGEST_ALGORITHMS, parseAlgorithm, type DigestAlgorithm } from './algorithms.ts';
import { parseDigestFields } from './fields.ts';

/** A digest challenge of a server (RFC 7616 section 3.3). */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: DigestAlgorithm;
  /** Null for a server without qop (RFC 2069). `auth-int` only where the server accepts nothing else. */
  readonly qop: 'auth' | 'auth-int' | null;
  /** Only the nonce expired; the password was right. */
  readonly stale: boolean;
}

/** Undefined for a scheme, an algorithm or a qop that is not supported. */
export function parseChallenge(value: string): Challenge | undefined {
  const fields = parseDigestFields(value);
  const realm = fields?.get('realm');
  const nonce = fields?.get('nonce');
  const algorithm = parseAlgorithm(fields?.get('algorithm'));
  if (fields === undefined || realm === undefined || nonce === undefined || algorithm === undefined) return undefined;
  const offered = (fields.get('qop') ?? '').split(',').map((qop) => qop.trim().toLowerCase());
  const qop = offered.includes('auth') ? 'auth' : offered.includes('auth-int') ? 'auth-int' : null;
  if (fields.has('qop') && qop === null) return undefined;
  return {
    realm,
    nonce,
    opaque: fields.get('opaque') ?? null,
    algorithm,
    qop,
    stale: fields.get('stale')?.toLowerCase() === 'true',
  };
}

/** The strongest supported challenge of each realm (RFC 8760 section 2.4). */
export function strongestChallenges(values: readonly string[]): Challenge[] {
  const byRealm = new Map<string, Challenge>();
  for (const value of values) {
    const challenge = parseChallenge(value);
    if (challenge === undefined) continue;
    const known = byRealm.get(challenge.realm);
    if (known === undefined || rank(challenge) < rank(known)) byRealm.set(challenge.realm, challenge);
  }
  return [...byRealm.values()];
}

function rank({ algorithm }: Challenge): number {
  return DIGEST_ALGORITHMS.indexOf(algorithm);
}
