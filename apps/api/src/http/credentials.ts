/** What a request's headers say about its sender. */
export type Credentials =
  | { readonly kind: 'missing' }
  /** Two different keys. The API does not guess which one is meant. */
  | { readonly kind: 'conflicting' }
  | { readonly kind: 'given'; readonly key: string };

const BEARER = /^bearer(?:\s+(.*))?$/i;
const MISSING: Credentials = { kind: 'missing' };

/**
 * `X-API-Key: <key>` or `Authorization: Bearer <key>`; header names are case-insensitive. Reads the raw list of names
 * and values: of a repeated header, Node's object keeps the first value or joins them, which would hide a second key.
 */
export function credentialsOf(rawHeaders: readonly string[]): Credentials {
  let key: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const found = keyIn(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    if (found === undefined || found === '') continue;
    if (key !== undefined && key !== found) return { kind: 'conflicting' };
    key = found;
  }
  return key === undefined ? MISSING : { kind: 'given', key };
}

function keyIn(name: string, value: string): string | undefined {
  // Compare lengths first: most headers are neither, and lower-casing every header name is expensive.
  if (name.length === 9 && name.toLowerCase() === 'x-api-key') return value.trim();
  if (name.length === 13 && name.toLowerCase() === 'authorization') return BEARER.exec(value)?.[1]?.trim();
  return undefined;
}
