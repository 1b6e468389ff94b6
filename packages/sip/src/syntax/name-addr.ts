import { formatParams, NO_PARAMS, parseParams, type Params } from './params.ts';
import { quote, unquote } from './scan.ts';

/** The value of From, To, Contact, Route and Record-Route (RFC 3261 section 20.10). The URI is kept as written. */
export interface NameAddr {
  readonly displayName: string | null;
  readonly uri: string;
  /** Parameters of the header field, not of the URI. */
  readonly params: Params;
}

const URI = /^[a-z][a-z\d+.-]*:[^\s<>]+$/i;

export function parseNameAddr(text: string): NameAddr | undefined {
  const open = openingBracket(text);
  if (open < 0) {
    // Without brackets, everything after the first semicolon belongs to the header field.
    const semicolon = text.indexOf(';');
    const uri = (semicolon < 0 ? text : text.slice(0, semicolon)).trim();
    if (!URI.test(uri)) return undefined;
    return { displayName: null, uri, params: semicolon < 0 ? NO_PARAMS : parseParams(text.slice(semicolon)) };
  }
  const close = text.indexOf('>', open);
  const uri = text.slice(open + 1, close).trim();
  if (close < 0 || !URI.test(uri)) return undefined;
  const displayName = unquote(text.slice(0, open).trim());
  return { displayName: displayName === '' ? null : displayName, uri, params: parseParams(text.slice(close + 1)) };
}

export function formatNameAddr({ displayName, uri, params }: NameAddr): string {
  return `${displayName === null ? '' : `${quote(displayName)} `}<${uri}>${formatParams(params)}`;
}

export function nameAddr(uri: string, params: Params = NO_PARAMS, displayName: string | null = null): NameAddr {
  return { displayName, uri, params };
}

/** Null for an RFC 2543 peer, which may omit its tag. */
export function tagOf(address: NameAddr): string | null {
  return address.params.get('tag') ?? null;
}

/** A display name may hold a bracket inside its quotes. */
function openingBracket(text: string): number {
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted && char === '\\') at += 1;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === '<') return at;
  }
  return -1;
}
