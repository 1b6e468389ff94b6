import { tokenOfLink } from '@outdial/contracts';
import { useLocation } from '@tanstack/react-router';

/** The token in the current URL's fragment, or null. */
export function useLinkToken(): string | null {
  return tokenOfLink(useLocation({ select: (location) => location.hash }));
}

/** The fragment that passes the token to another page. Undefined without a token. */
export function tokenHash(token: string | null): string | undefined {
  return token === null ? undefined : `token=${encodeURIComponent(token)}`;
}
