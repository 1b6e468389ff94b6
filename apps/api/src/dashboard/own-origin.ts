import { ApiError } from '../http/api-error.ts';
import { headerOf } from '../http/header.ts';
import type { Message } from '../http/principal.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A request that changes something must come from a page of ours: browsers say so by themselves, and send the cookie to
 * whatever a foreign page asks for. @throws ApiError `origin_not_allowed`
 * @param publicOrigin of the dashboard's address as users see it, which a proxy may not pass on as `Host`.
 */
export function requireOwnOrigin({ method = 'GET', rawHeaders }: Message, publicOrigin: string): void {
  if (SAFE.has(method)) return;
  const site = headerOf(rawHeaders, 'Sec-Fetch-Site');
  if (site === 'same-origin') return;
  const origin = headerOf(rawHeaders, 'Origin');
  // What says that it comes from elsewhere is believed, whatever else it says.
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
