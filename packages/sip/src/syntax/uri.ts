import { formatParams, NO_PARAMS, parseParams, type Params } from './params.ts';

/** A `sip:` or `sips:` URI (RFC 3261 section 19.1). */
export interface SipUri {
  readonly scheme: 'sip' | 'sips';
  /** As written, with escapes and password; null where there is none. */
  readonly user: string | null;
  /** A name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number | null;
  readonly params: Params;
}

const SIP_URI =
  /^(?<scheme>sips?):(?:(?<user>[^@<>"\s]+)@)?(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?(?<params>;[^?<>\s]*)?(?:\?[^<>\s]*)?$/i;

/** Undefined for anything that is not a SIP URI. Drops headers after `?`: a URI must not add header fields. */
export function parseSipUri(text: string): SipUri | undefined {
  const groups = SIP_URI.exec(text.trim())?.groups;
  const host = groups?.['host'];
  if (groups === undefined || host === undefined) return undefined;
  const port = groups['port'] === undefined ? null : Number(groups['port']);
  if (port !== null && (port < 1 || port > 65_535)) return undefined;
  return {
    scheme: groups['scheme']?.toLowerCase() === 'sips' ? 'sips' : 'sip',
    user: groups['user'] ?? null,
    host: host.toLowerCase(),
    port,
    params: groups['params'] === undefined ? NO_PARAMS : parseParams(groups['params']),
  };
}

export function formatSipUri({ scheme, user, host, port, params }: SipUri): string {
  return `${scheme}:${user === null ? '' : `${user}@`}${host}${port === null ? '' : `:${port}`}${formatParams(params)}`;
}

/** The telephone number or name in a `sip:`, `sips:` or `tel:` URI, unescaped; null where there is none. */
export function userOfUri(text: string): string | null {
  const user = /^tel:(?<number>[^;]+)/i.exec(text)?.groups?.['number'] ?? parseSipUri(text)?.user ?? null;
  // Subscriber parameters and a password are not part of the number.
  return user === null ? null : unescapeUri(user.replace(/[;:].*$/, ''));
}

function unescapeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that escapes nothing stands for itself.
    return text;
  }
}
