import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretKey } from './secret-key.ts';

/**
 * What a secret is used for. Each purpose has its own key, derived from the secret key, so a value that is sealed for
 * one purpose never opens for another. A purpose must never be renamed, because stored values would no longer open.
 */
export type SecretPurpose = 'trunk password' | 'provider credential' | 'account secret' | 'webhook secret' | 'e-mail';

/** What a sealed value is bound to. */
export interface SealedFor {
  readonly purpose: SecretPurpose;
  /** The id of the row that holds the value, such as a trunk's name. Copied to another row, the value does not open. */
  readonly owner: string;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const KEY_BYTES = 32;

/** Seals a text with AES-256-GCM (NIST SP 800-38D). Returns version (1 byte), nonce (12), tag (16), ciphertext. */
export function sealSecret(key: SecretKey, secret: string, { purpose, owner }: SealedFor): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derive(key, purpose), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
}

/** Returns undefined for a value that was sealed with another key, purpose or owner, or was changed. */
export function openSecret(key: SecretKey, sealed: Uint8Array, { purpose, owner }: SealedFor): string | undefined {
  if (sealed[0] !== VERSION || sealed.length < HEADER_BYTES) return undefined;
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', derive(key, purpose), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

const derivedKeys = new WeakMap<SecretKey, Map<SecretPurpose, Buffer>>();

/** HKDF-SHA256 (RFC 5869) with an empty salt and the purpose as info. Kept: it takes longer than to open a secret. */
function derive(key: SecretKey, purpose: SecretPurpose): Buffer {
  const ofKey = derivedKeys.get(key) ?? new Map<SecretPurpose, Buffer>();
  derivedKeys.set(key, ofKey);
  const derived = ofKey.get(purpose) ?? Buffer.from(hkdfSync('sha256', key, '', `outdial ${purpose}`, KEY_BYTES));
  ofKey.set(purpose, derived);
  return derived;
}
