import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { computeDigest, DIGEST_ALGORITHMS, parseAlgorithm } from './algorithms.ts';
import { parseDigestFields } from './fields.ts';

/** How long a nonce is valid. */
const NONCE_LIFE_MS = 300_000;
/** How many nonce counts are kept. The oldest nonces are dropped and count as stale from then on. */
const MAX_NONCES = 10_000;

export interface VerifierOptions {
  readonly realm: string;
  /** The password of a user; undefined for an unknown user. */
  readonly passwordOf: (username: string) => string | undefined;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** `stale`: the password is right, but the nonce has expired. */
export type Verdict = 'accepted' | 'stale' | 'refused';

/** Demands and checks digest authentication as a server (RFC 7616): MD5 or SHA-256, qop=auth only. */
export class Verifier {
  readonly #options: VerifierOptions;
  readonly #secret = randomBytes(32);
  /** The highest nonce count by nonce: prevents the replay of credentials. */
  readonly #counts = new Map<string, number>();

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** One challenge for each algorithm, as values of WWW-Authenticate or Proxy-Authenticate. */
  challenges({ stale = false } = {}): string[] {
    const { realm, clock } = this.#options;
    const issued = `${Math.floor(clock.monotonicMs())}.${randomBytes(8).toString('hex')}`;
    const nonce = `${issued}.${this.#sign(issued)}`;
    this.#counts.set(nonce, 0);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= MAX_NONCES) break;
      this.#counts.delete(oldest);
    }
    return DIGEST_ALGORITHMS.map(
      (algorithm) =>
        `Digest realm="${realm}", nonce="${nonce}", qop="auth", algorithm=${algorithm}${stale ? ', stale=true' : ''}`,
    );
  }

  /** Checks the value of Authorization or Proxy-Authorization for one request. */
  verify(value: string, method: string): Verdict {
    const fields = parseDigestFields(value);
    const field = (name: string) => fields?.get(name) ?? '';
    const algorithm = parseAlgorithm(fields?.get('algorithm'));
    const [username, nonce] = [field('username'), field('nonce')];
    const password = this.#options.passwordOf(username);
    const { realm } = this.#options;
    if (algorithm === undefined || password === undefined || field('realm') !== realm) return 'refused';
    if (field('qop').toLowerCase() !== 'auth' || !this.#isOurs(nonce)) return 'refused';
    const quality = { nonceCount: field('nc'), clientNonce: field('cnonce') };
    const wanted = computeDigest({ algorithm, username, password, realm, nonce, method, uri: field('uri'), quality });
    if (!equal(wanted, field('response').toLowerCase())) return 'refused';
    return this.#spend(nonce, Number.parseInt(quality.nonceCount, 16)) ? 'accepted' : 'stale';
  }

  #spend(nonce: string, count: number): boolean {
    const last = this.#counts.get(nonce);
    const ageMs = this.#options.clock.monotonicMs() - Number.parseInt(nonce, 10);
    if (last === undefined || ageMs > NONCE_LIFE_MS || !(count > last)) return false;
    this.#counts.set(nonce, count);
    return true;
  }

  #isOurs(nonce: string): boolean {
    const dot = nonce.lastIndexOf('.');
    return equal(this.#sign(nonce.slice(0, Math.max(0, dot))), nonce.slice(dot + 1));
  }

  #sign(issued: string): string {
    return createHmac('sha256', this.#secret).update(issued).digest('hex');
  }
}

function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
