import { splitOutside, unquote } from '../syntax/scan.ts';

/**
 * Reads `Digest a=b, c="d"` (RFC 7616 section 3.3). Undefined for another scheme. A repeated name keeps its first
 * value.
 */
export function parseDigestFields(value: string): ReadonlyMap<string, string> | undefined {
  const groups = /^\s*digest\s+(?<fields>.*)$/is.exec(value)?.groups;
  if (groups === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const part of splitOutside(groups['fields'] ?? '', ',')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (name !== '' && !fields.has(name)) fields.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return fields;
}
