/**
 * Splits at `separator` outside of quoted strings and angle brackets (RFC 3261 section 7.3.1), trims, and drops empty
 * parts. An unclosed quote or bracket extends to the end.
 */
export function splitOutside(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let quoted = false;
  let bracketed = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '<') bracketed = true;
    else if (char === '>') bracketed = false;
    else if (char === separator && !bracketed) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The content of a quoted string, or the text itself where it is not quoted. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}

export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
