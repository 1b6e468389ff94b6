import { tokenOfLink } from '@outdial/contracts';
import { useLocation } from '@tanstack/react-router';

/** The token of the link that led here; null if it has none. */
export function useLinkToken(): string | null {
  return tokenOfLink(useLocation({ select: (location) => location.hash }));
}

/** The fragment that hands the token on to another page. Undefined without a token. */
export function tokenHash(token: string | null): string | undefined {
  return token === null ? undefined : `token=${encodeURIComponent(token)}`;
}
