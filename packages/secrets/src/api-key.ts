import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { parseSecretBytes } from './secret-bytes.ts';

/** Keys look like `od_live_<30 base62><6 check>`: the checksum rejects typos and noise without a look-up. */
const PREFIX = 'od_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECK_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`);

/** How many characters of a key are shown in lists, so that its owner can tell keys apart. */
export const SHOWN_KEY_LENGTH = PREFIX.length + 6;

/** The server-side secret that keys are hashed with: a copy of the database alone does not allow testing guesses. */
export type KeyPepper = Buffer;

/** The configured pepper: at least 32 bytes, in hexadecimal or base64. Null for anything else. */
export function parseKeyPepper(text: string): KeyPepper | null {
  return parseSecretBytes(text);
}

export function createApiKey(): string {
  let secret = '';
  for (let index = 0; index < SECRET_LENGTH; index += 1) secret += ALPHABET.charAt(randomInt(ALPHABET.length));
  return `${PREFIX}${secret}${checkOf(secret)}`;
}

/** Whether the text has the format and checksum of a key. Does not say whether the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checkOf(match[1] ?? '') === match[2];
}

/** HMAC-SHA256 of the key: the only form in which a key is stored. */
export function digestApiKey(key: string, pepper: KeyPepper): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

export function digestsEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** CRC-32 (ITU-T V.42) of the secret part in base 62, as six characters. */
function checkOf(secret: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(secret)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let check = '';
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    check = ALPHABET.charAt(rest % ALPHABET.length) + check;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return check;
}
