import { createHash } from 'node:crypto';

/** The supported digest algorithms, the strongest first (RFC 8760 section 2.3). */
export const DIGEST_ALGORITHMS = ['SHA-256', 'MD5'] as const;
export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number];

/** The algorithm by the name that a peer wrote; without a name it is MD5 (RFC 2617 section 3.2.1). */
export function parseAlgorithm(name: string | null | undefined): DigestAlgorithm | undefined {
  const wanted = (name ?? 'MD5').toUpperCase();
  return DIGEST_ALGORITHMS.find((algorithm) => algorithm === wanted);
}

export interface DigestInput {
  readonly algorithm: DigestAlgorithm;
  readonly username: string;
  readonly password: string;
  readonly realm: string;
  readonly nonce: string;
  readonly method: string;
  readonly uri: string;
  /**
   * Null for the form of RFC 2069, for a challenge without qop. `body` is set for qop=auth-int, which covers it too.
   */
  readonly quality: { readonly nonceCount: string; readonly clientNonce: string; readonly body?: Buffer } | null;
}

/** The request-digest of RFC 7616 section 3.4.1, in lower-case hexadecimal. */
export function computeDigest(input: DigestInput): string {
  const { username, password, realm, nonce, method, uri, quality } = input;
  const hash = (text: string | Buffer) =>
    createHash(input.algorithm === 'SHA-256' ? 'sha256' : 'md5')
      .update(text)
      .digest('hex');
  const who = hash(`${username}:${realm}:${password}`);
  if (quality === null) return hash(`${who}:${nonce}:${hash(`${method}:${uri}`)}`);
  const { nonceCount, clientNonce, body } = quality;
  const what = hash(body === undefined ? `${method}:${uri}` : `${method}:${uri}:${hash(body)}`);
  const qop = body === undefined ? 'auth' : 'auth-int';
  return hash(`${who}:${nonce}:${nonceCount}:${clientNonce}:${qop}:${what}`);
}
