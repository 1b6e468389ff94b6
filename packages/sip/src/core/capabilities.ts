import { ACCEPTED_TYPES } from '../sdp/session-body.ts';
import type { Headers } from '../syntax/headers.ts';

/** The methods that this user agent answers. It rejects every other one with 405 and this list. */
export const ALLOW = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO, NOTIFY';
/** RFC 4028 and RFC 3262. */
export const SUPPORTED = 'timer, 100rel';

/**
 * Extensions that a request requires and this user agent does not support: reject with 420 (RFC 3261 section 8.2.2.3).
 */
export function unknownExtensions(headers: Headers): string[] {
  const known = new Set(SUPPORTED.split(', '));
  return headers.all('require').filter((extension) => !known.has(extension.toLowerCase()));
}

/** The header fields that state these capabilities, for OPTIONS. */
export const CAPABILITY_HEADERS = [
  ['allow', ALLOW],
  ['supported', SUPPORTED],
  ['accept', ACCEPTED_TYPES],
] as const;
