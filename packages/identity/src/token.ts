import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** What a cookie carries, or a link: nobody guesses it. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is kept of it: whoever reads the database, or a backup of it, cannot sign in with what is there. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
