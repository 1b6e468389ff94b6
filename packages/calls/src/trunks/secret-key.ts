import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { parseKeyPepper } from '../api-key.ts';

/** The instance's secret that others are encrypted with: a copy of the database alone tells none of them. */
export type SecretKey = Buffer;

/** The key as it is configured: at least 32 bytes, in hexadecimal or base64, like the key pepper. */
export function parseSecretKey(text: string): SecretKey | null {
  return parseKeyPepper(text);
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * AES-256-GCM (NIST SP 800-38D): a byte of version, the nonce, the tag, the ciphertext. `owner` is bound to it: moved to
 * another one's row, it does not open.
 */
export function sealSecret(key: SecretKey, secret: string, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derive(key), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined when it was sealed with another key, for another owner, or was changed since. */
export function openSecret(key: SecretKey, sealed: Uint8Array, owner: string): string | undefined {
  if (sealed[0] !== VERSION || sealed.length < HEADER_BYTES) return undefined;
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', derive(key), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A key for this purpose alone (HKDF, RFC 5869): what else the secret is used for later tells nothing of it. */
function derive(key: SecretKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'outdial trunk password', 32));
}
