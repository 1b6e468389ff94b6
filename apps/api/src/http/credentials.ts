/** What a request's headers say of who sends it. */
export type Credentials =
  | { readonly kind: 'missing' }
  /** Two different keys: which one was meant is not ours to guess. */
  | { readonly kind: 'conflicting' }
  | { readonly kind: 'given'; readonly key: string };

const BEARER = /^bearer(?:\s+(.*))?$/i;
const MISSING: Credentials = { kind: 'missing' };

/**
 * `X-API-Key: <key>` or `Authorization: Bearer <key>`, in any case of letters. Read from the raw list of names and
 * values: of a repeated header, Node's object keeps the first or joins them, and a second key would go unseen.
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
  // Lengths first: most headers are neither, and lower-casing each of them is what costs.
  if (name.length === 9 && name.toLowerCase() === 'x-api-key') return value.trim();
  if (name.length === 13 && name.toLowerCase() === 'authorization') return BEARER.exec(value)?.[1]?.trim();
  return undefined;
}
