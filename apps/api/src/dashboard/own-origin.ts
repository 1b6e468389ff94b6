import { ApiError } from '../http/api-error.ts';
import { headerOf } from '../http/header.ts';
import type { Message } from '../http/principal.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A request with an effect must come from a page of this dashboard. Browsers name the origin, and send the cookie with
 * every request of a foreign page.
 * @throws ApiError `origin_not_allowed`
 * @param publicOrigin the dashboard's public origin; a proxy may pass on another `Host`.
 */
export function requireOwnOrigin(message: Message, publicOrigin: string): void {
  if (!SAFE.has(message.method ?? 'GET')) requireOwnPage(message, publicOrigin);
}

/**
 * The same for a request of any method: browsers open a WebSocket for every page, with the cookie, and let the page read
 * it.
 * @throws ApiError `origin_not_allowed`
 */
export function requireOwnPage({ rawHeaders }: Message, publicOrigin: string): void {
  const site = headerOf(rawHeaders, 'Sec-Fetch-Site');
  if (site === 'same-origin') return;
  const origin = headerOf(rawHeaders, 'Origin');
  // A header that names another origin decides, whatever the other headers say.
  if (site === null && origin !== null && isOwn(origin, headerOf(rawHeaders, 'Host'), publicOrigin)) return;
  throw new ApiError({
    code: 'origin_not_allowed',
    publicMessage:
      'This request does not come from the dashboard. Open the dashboard at the address in OUTDIAL_PUBLIC_URL.',
  });
}

function isOwn(origin: string, host: string | null, publicOrigin: string): boolean {
  return origin === publicOrigin || (host !== null && (origin === `http://${host}` || origin === `https://${host}`));
}
