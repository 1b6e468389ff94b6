import { parseSecretBytes } from './secret-bytes.ts';

/** The instance's key for sealing other secrets: a copy of the database alone opens none of them. */
export type SecretKey = Buffer;

/** Parses the configured key: at least 32 bytes, in hexadecimal or base64. Null for anything else. */
export function parseSecretKey(text: string): SecretKey | null {
  return parseSecretBytes(text);
}
