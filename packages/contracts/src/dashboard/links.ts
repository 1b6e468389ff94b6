/** The dashboard's pages that an e-mailed link leads to. */
export const LINK_PATHS = {
  password_reset: '/reset-password',
  invitation: '/invitation',
  email_verification: '/verify-email',
} as const;
export type LinkKind = keyof typeof LINK_PATHS;

/**
 * Such a link. `publicUrl` has no trailing slash. The token is in the fragment, which a browser does not send: no
 * server's log and no `Referer` contains it.
 */
export function dashboardLink(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}${LINK_PATHS[kind]}#token=${encodeURIComponent(token)}`;
}

/** The token from the fragment of such a link; null without one. */
export function tokenOfLink(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('token');
}
