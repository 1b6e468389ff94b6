import { randomBytes } from 'node:crypto';
import type { Headers } from '../syntax/headers.ts';
import type { SipRequest } from '../syntax/message.ts';
import { quote } from '../syntax/scan.ts';
import { computeDigest } from './algorithms.ts';
import { strongestChallenges, type Challenge } from './challenge.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Ends the loop with a server that calls every nonce stale. */
const MAX_CHALLENGES = 4;

/** The fields that carry a challenge and its credentials: from the far end itself (401), or from a proxy (407). */
const FIELDS = {
  401: { challenge: 'www-authenticate', answer: 'authorization' },
  407: { challenge: 'proxy-authenticate', answer: 'proxy-authorization' },
} as const;

interface Answered {
  readonly challenge: Challenge;
  readonly field: 'authorization' | 'proxy-authorization';
  nonceCount: number;
}

/** Answers digest challenges as a client (RFC 3261 section 22, RFC 7616), for one call. */
export class Authorizer {
  readonly #credentials: Credentials | undefined;
  readonly #answered = new Map<string, Answered>();
  #challenges = 0;

  constructor(credentials: Credentials | undefined) {
    this.#credentials = credentials;
  }

  /** Whether a 401 or 407 has a challenge that we support: if not, no password would help. */
  understands(status: 401 | 407, headers: Headers): boolean {
    return strongestChallenges(headers.all(FIELDS[status].challenge)).length > 0;
  }

  /**
   * Accepts a 401 or 407. False when it cannot be answered: no credentials, no supported challenge, or a realm that was
   * already answered and does not say `stale`. In that last case the password is wrong, and another attempt would lock
   * the account.
   */
  accept(status: 401 | 407, headers: Headers): boolean {
    const challenges = strongestChallenges(headers.all(FIELDS[status].challenge));
    const refused = challenges.some(({ realm, stale }) => this.#answered.has(realm) && !stale);
    this.#challenges += 1;
    if (this.#credentials === undefined || challenges.length === 0 || refused) return false;
    if (this.#challenges > MAX_CHALLENGES) return false;
    for (const challenge of challenges) this.#remember(status, challenge);
    return true;
  }

  /**
   * Accepts a challenge to a request within the dialog. Its realm may have been answered before: the nonce may have
   * expired without notice, and without a repeated BYE the call stays up. The caller repeats the request once only.
   */
  acceptAgain(status: 401 | 407, headers: Headers): boolean {
    const challenges = strongestChallenges(headers.all(FIELDS[status].challenge));
    if (this.#credentials === undefined || challenges.length === 0) return false;
    for (const challenge of challenges) this.#remember(status, challenge);
    return true;
  }

  /** Forgets all nonces, because another server is asked from now on. */
  reset(): void {
    this.#answered.clear();
    this.#challenges = 0;
  }

  /** Adds credentials for every realm that sent a challenge, each with the next nonce count. */
  authorize({ method, uri, headers, body }: SipRequest): void {
    if (this.#credentials === undefined) return;
    headers.remove('authorization').remove('proxy-authorization');
    for (const answered of this.#answered.values()) {
      answered.nonceCount += 1;
      headers.add(answered.field, formatAnswer(answered, this.#credentials, { method, uri, body }));
    }
  }

  #remember(status: 401 | 407, challenge: Challenge): void {
    this.#answered.set(challenge.realm, { challenge, field: FIELDS[status].answer, nonceCount: 0 });
  }
}

function formatAnswer(
  { challenge, nonceCount }: Answered,
  credentials: Credentials,
  { method, uri, body }: Pick<SipRequest, 'method' | 'uri' | 'body'>,
): string {
  const { realm, nonce, opaque, algorithm, qop } = challenge;
  const quality = qop
    ? {
        nonceCount: nonceCount.toString(16).padStart(8, '0'),
        clientNonce: randomBytes(12).toString('hex'),
        ...(qop === 'auth-int' ? { body } : {}),
      }
    : null;
  const response = computeDigest({ algorithm, ...credentials, realm, nonce, method, uri, quality });
  const fields = [
    `username=${quote(credentials.username)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
  ];
  if (opaque !== null) fields.push(`opaque=${quote(opaque)}`);
  if (quality !== null) fields.push(`qop=${qop}`, `nc=${quality.nonceCount}`, `cnonce="${quality.clientNonce}"`);
  return `Digest ${fields.join(', ')}`;
}
