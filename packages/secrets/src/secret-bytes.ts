const MIN_SECRET_BYTES = 32;

/** A configured secret: at least 32 bytes, in hexadecimal or base64. Null for anything else. */
export function parseSecretBytes(text: string): Buffer | null {
  const trimmed = text.trim();
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(trimmed);
  if (!isHex && !/^[\w+/-]+={0,2}$/.test(trimmed)) return null;
  const bytes = Buffer.from(trimmed, isHex ? 'hex' : 'base64');
  return bytes.length >= MIN_SECRET_BYTES ? bytes : null;
}
