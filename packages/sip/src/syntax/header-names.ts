/** Compact forms (RFC 3261 section 7.3.3, RFC 4028 section 4, RFC 6665 section 8.2). */
const COMPACT: Readonly<Record<string, string>> = {
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
};

/** Names whose capitals are not simply those after each hyphen. */
const WRITTEN: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  'mime-version': 'MIME-Version',
  rack: 'RAck',
  rseq: 'RSeq',
  'www-authenticate': 'WWW-Authenticate',
};

const TOKEN_LISTS = ['accept', 'allow', 'proxy-require', 'require', 'supported', 'unsupported'];

/** Header fields that are lists: one line with commas equals several lines (RFC 3261 section 7.3.1). */
const LISTS: ReadonlySet<string> = new Set([...TOKEN_LISTS, 'contact', 'reason', 'record-route', 'route', 'via']);

/** The long name in lower case: the key of a header field. */
export function headerKey(name: string): string {
  const lower = name.trim().toLowerCase();
  return Object.hasOwn(COMPACT, lower) ? (COMPACT[lower] ?? lower) : lower;
}

/** The name as RFCs write it. Peers must not care, but people who read a trace do. */
export function writtenHeaderName(key: string): string {
  const written = Object.hasOwn(WRITTEN, key) ? WRITTEN[key] : undefined;
  return written ?? key.replaceAll(/(?:^|-)[a-z]/g, (match) => match.toUpperCase());
}

export function isListHeader(key: string): boolean {
  return LISTS.has(key);
}

export function isTokenList(key: string): boolean {
  return TOKEN_LISTS.includes(key);
}
