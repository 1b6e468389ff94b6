import { SESSION_SECONDS, tokenDigest, type Identity } from '@outdial/identity';
import { notSignedIn } from '../access-checks.ts';
import { sessionCookie } from '../cookie.ts';
import { presentSession } from './present-session.ts';

export type BeginSessionDeps = Pick<Identity, 'findSession' | 'endSession'>;

/**
 * The response to a user who has just signed in. The session that came with the request ends, so that a token that
 * an attacker planted in this browser never becomes the token of a user who signs in later.
 * @throws ApiError `not_signed_in` if the new session has already ended.
 */
export async function beginSession(identity: BeginSessionDeps, token: string, formerToken: string | null) {
  if (formerToken !== null) await identity.endSession(tokenDigest(formerToken));
  const session = await identity.findSession(tokenDigest(token));
  // A new password or a sign-out everywhere may already have ended the new session.
  if (session === null) throw notSignedIn();
  const headers = { 'Set-Cookie': sessionCookie(token, SESSION_SECONDS) };
  return { headers, body: { session: presentSession(session) } };
}
