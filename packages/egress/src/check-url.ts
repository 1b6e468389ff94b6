import { isIP } from 'node:net';
import { isInNetworks } from './address.ts';
import {
  extraNetworks,
  FIRST_UNPRIVILEGED_PORT,
  HTTPS_PORT,
  isAllowedPort,
  mayConnect,
  type EgressPolicy,
} from './policy.ts';

export type UrlCheck =
  | { readonly ok: true; readonly url: URL }
  /** `problem` completes "url …": it says what is wrong and what to do. */
  | { readonly ok: false; readonly problem: string };

/** Names that never resolve on the internet (RFC 6761, RFC 6762, RFC 8375, RFC 9476 and ICANN's `internal`). */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|invalid|test|example|alt)$/;
const HTTP_PORT = 80;
const MAX_LENGTH = 2_048;

/**
 * Checks what can be known without a network: when a customer saves a URL, and again before each request. The address
 * of a name is checked when a connection is made.
 */
export function checkUrl(text: string, policy: EgressPolicy): UrlCheck {
  if (text.length > MAX_LENGTH) return refuse(`must have at most ${MAX_LENGTH} characters`);
  if (!URL.canParse(text)) return refuse('must be a URL such as https://example.com/path');
  const url = new URL(text);
  const extra = extraNetworks(policy);
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || extra.length === 0)) {
    return refuse('must begin with https://');
  }
  if (url.username !== '' || url.password !== '') return refuse('must not contain a user name or password');
  if (url.hash !== '') return refuse('must not contain a fragment (#…)');
  // The URL parser writes every form of an IPv4 address (decimal, octal, hexadecimal, shortened) as four decimal parts.
  const host = hostOf(url);
  if (isIP(host) === 0) {
    if (extra.length === 0 && PRIVATE_NAMES.test(host)) return refuse('must name a host on the public internet');
    return extra.length > 0 || isAllowedPort(portOf(url)) ? { ok: true, url } : refuse(PORT_PROBLEM);
  }
  if (!mayConnect(policy, host, url.protocol === 'https:')) {
    return refuse(url.protocol === 'http:' ? 'must begin with https://' : 'must name a host on the public internet');
  }
  return isAllowedPort(portOf(url)) || isInNetworks(host, extra) ? { ok: true, url } : refuse(PORT_PROBLEM);
}

const PORT_PROBLEM = `must use port ${HTTPS_PORT} or a port from ${FIRST_UNPRIVILEGED_PORT} on`;

function refuse(problem: string): UrlCheck {
  return { ok: false, problem };
}

/** The host without the brackets of an IPv6 address and the final dot of a full name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' ? HTTP_PORT : HTTPS_PORT;
}
