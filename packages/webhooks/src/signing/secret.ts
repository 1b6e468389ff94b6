import { randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0: a secret is `whsec_` and 24 to 64 bytes in base64. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret, as its owner sees it once. */
export function createSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The bytes that signatures are made with. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
