import { quote, splitOutside, unquote } from './scan.ts';

/** Parameters by lower-case name; null for one without a value. Values are unquoted. */
export type Params = ReadonlyMap<string, string | null>;

export const NO_PARAMS: Params = new Map();

/** `token`, plus the characters that hosts in Via's `received` and addresses need (RFC 3261 section 25.1). */
const NEEDS_NO_QUOTES = /^[\w.!%*+`'~:[\]/&$@-]+$/;

/** Reads `a;b=c;d="e"`, with or without a leading semicolon. A repeated name keeps its first value. */
export function parseParams(text: string): Params {
  const params = new Map<string, string | null>();
  for (const part of splitOutside(text, ';')) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (name === '' || params.has(name)) continue;
    params.set(name, equals < 0 ? null : unquote(part.slice(equals + 1).trim()));
  }
  return params;
}

/** Writes `;a;b=c` with quotes where needed; an empty string without parameters. */
export function formatParams(params: Params): string {
  let text = '';
  for (const [name, value] of params) {
    text += value === null ? `;${name}` : `;${name}=${NEEDS_NO_QUOTES.test(value) ? value : quote(value)}`;
  }
  return text;
}

export function withParam(params: Params, name: string, value: string | null): Params {
  return new Map(params).set(name, value);
}
