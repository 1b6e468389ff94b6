import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** An unguessable token for a cookie or a link. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored instead of the token: a reader of the database or its backup cannot sign in with it. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
