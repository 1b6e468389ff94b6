/** Because of the prefix, browsers reject it without `Secure` and `Path=/`, and limit it to the host that set it. */
const NAME = '__Host-outdial_session';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The session's token from the request's cookies. Null without one, or with two that differ. */
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

/** Lives as long as the longest session. Only the API knows whether the session is still valid. */
export function sessionCookie(token: string, maxAgeSeconds: number): string {
  return `${NAME}=${token}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}`;
}

export function noSessionCookie(): string {
  return `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;
}
