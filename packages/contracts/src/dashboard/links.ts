/** The dashboard's pages that a link sent by mail leads to. */
export const LINK_PATHS = {
  password_reset: '/reset-password',
  invitation: '/invitation',
  email_verification: '/verify-email',
} as const;
export type LinkKind = keyof typeof LINK_PATHS;

/**
 * Such a link. `publicUrl` is without a slash at the end. The token lies in the fragment, which a browser keeps to itself:
 * no server's log and no `Referer` has it.
 */
export function dashboardLink(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}${LINK_PATHS[kind]}#token=${encodeURIComponent(token)}`;
}

/** The token out of the fragment of such a link; null if it has none. */
export function tokenOfLink(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('token');
}
