import { parseSecretBytes } from '@outdial/kernel';

/** The secret of the instance that other secrets are sealed with: a copy of the database alone opens none of them. */
export type SecretKey = Buffer;

/** The key as it is configured: at least 32 bytes, in hexadecimal or base64. Null for anything else. */
export function parseSecretKey(text: string): SecretKey | null {
  return parseSecretBytes(text);
}
