import { SESSION_SECONDS, tokenDigest, type Identity } from '@outdial/identity';
import { notSignedIn } from '../admissions.ts';
import { sessionCookie } from '../cookie.ts';
import { presentSession } from './present-session.ts';

export type BeginSessionDeps = Pick<Identity, 'findSession' | 'endSession'>;

/**
 * What is answered to somebody who has just signed in. The session that came with the request ends: a token that was
 * known before, to whoever put it into this browser, is never that of somebody who signs in later.
 * @throws ApiError `not_signed_in` if the new one has been ended already.
 */
export async function beginSession(identity: BeginSessionDeps, token: string, formerToken: string | null) {
  if (formerToken !== null) await identity.endSession(tokenDigest(formerToken));
  const session = await identity.findSession(tokenDigest(token));
  // Whoever sets another password, or signs out everywhere, ends also this one.
  if (session === null) throw notSignedIn();
  const headers = { 'Set-Cookie': sessionCookie(token, SESSION_SECONDS) };
  return { headers, body: { session: presentSession(session) } };
}
