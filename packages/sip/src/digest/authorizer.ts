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

/** A server that always calls our nonces stale must not keep us going for ever. */
const MAX_CHALLENGES = 4;

/** The fields that carry a challenge and its answer: of the far end itself (401), or of a proxy on the way (407). */
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

  /** Whether a 401 or 407 asks for something that is spoken here: if it does not, no password would help. */
  understands(status: 401 | 407, headers: Headers): boolean {
    return strongestChallenges(headers.all(FIELDS[status].challenge)).length > 0;
  }

  /**
   * Takes a 401 or 407. False when there is no answer: no credentials, nothing we speak, or a realm that already had
   * one and does not say `stale`: the password is wrong, and asking again would lock the account.
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
   * Takes a challenge to a request within the dialog, whose realm may well have answered before: the nonce may have
   * grown old without a word, and a BYE that is not repeated leaves the call up. The caller repeats it once only.
   */
  acceptAgain(status: 401 | 407, headers: Headers): boolean {
    const challenges = strongestChallenges(headers.all(FIELDS[status].challenge));
    if (this.#credentials === undefined || challenges.length === 0) return false;
    for (const challenge of challenges) this.#remember(status, challenge);
    return true;
  }

  /** Another server is asked from now on: it knows nothing of the nonces of the one before. */
  reset(): void {
    this.#answered.clear();
    this.#challenges = 0;
  }

  /** Puts an answer for every realm that has asked so far, each with the next nonce count. */
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
