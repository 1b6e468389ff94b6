/** The prefix makes browsers refuse it without `Secure` and `Path=/`, or for any host but the one that set it. */
const NAME = '__Host-outdial_session';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The session's token out of the request's cookies; null without one, or with two that differ. */
export function sessionTokenIn(rawHeaders: readonly string[]): string | null {
  const tokens = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'cookie') continue;
    for (const pair of (rawHeaders[index + 1] ?? '').split(';')) {
      const [name, value] = pair.split('=', 2);
      if (name?.trim() === NAME && value !== undefined) tokens.add(value.trim());
    }
  }
  const [token] = tokens;
  return tokens.size === 1 && token !== undefined && token !== '' ? token : null;
}

/** Kept for as long as a session can last; whether it still does, only we know. */
export function sessionCookie(token: string, maxAgeSeconds: number): string {
  return `${NAME}=${token}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}`;
}

export function noSessionCookie(): string {
  return `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;
}
