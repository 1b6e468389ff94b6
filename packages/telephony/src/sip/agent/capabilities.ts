import type { Headers } from '../syntax/headers.ts';

/** The methods that are answered here; every other one is refused with 405 and this list. */
export const ALLOW = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO';
/** RFC 4028 and RFC 3262. */
export const SUPPORTED = 'timer, 100rel';
export const SDP_TYPE = 'application/sdp';

/** Extensions that a request requires and nobody here knows: to be refused with 420 (RFC 3261 section 8.2.2.3). */
export function unknownExtensions(headers: Headers): string[] {
  const known = new Set(SUPPORTED.split(', '));
  return headers.all('require').filter((extension) => !known.has(extension.toLowerCase()));
}

/** Whether a request has a body that is no session description: to be refused with 415 (section 8.2.3). */
export function hasForeignBody({ headers, body }: { readonly headers: Headers; readonly body: Buffer }): boolean {
  const [type = ''] = (headers.get('content-type') ?? SDP_TYPE).split(';');
  return body.length > 0 && type.trim().toLowerCase() !== SDP_TYPE;
}

/** The header fields that say all of it, for OPTIONS. */
export const CAPABILITY_HEADERS = [
  ['allow', ALLOW],
  ['supported', SUPPORTED],
  ['accept', SDP_TYPE],
] as const;
