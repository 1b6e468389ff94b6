/** The first syntax error of a JSON text. Line and column count from 1. */
export interface JsonSyntaxError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

type Expected = 'value' | 'value_or_close' | 'key' | 'key_or_close' | 'colon' | 'comma_or_close' | 'end';

const TOKEN =
  /[{}[\]:,]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\u007F-\u009F])*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/uy;
const BLANK = /[ \t\n\r]*/y;

const WANTED: Readonly<Record<Expected, string>> = {
  value: 'a value is missing here',
  value_or_close: 'a value or ] is missing here',
  key: 'a name in double quotes is missing here (remove a comma before })',
  key_or_close: 'a name in double quotes or } is missing here',
  colon: 'a colon is missing here',
  comma_or_close: 'a comma or a closing bracket is missing here',
  end: 'there is text after the end of the JSON value',
};

const BROKEN_TEXT = 'a string in double quotes is malformed or not closed';

/**
 * Finds the first place at which `text` is not valid JSON (RFC 8259), or null. JSON.parse reports the position only
 * in some versions of Node, and in none for every error.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError | null {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let position = 0;
  for (;;) {
    position = skipBlanks(text, position);
    if (position === text.length && expected === 'end') return null;
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text)?.[0];
    const next: Expected | undefined = token === undefined ? undefined : step(expected, token, open);
    if (token === undefined && text.charAt(position) === '"') return faultAt(text, position, BROKEN_TEXT);
    if (token === undefined || next === undefined) return faultAt(text, position, WANTED[expected]);
    expected = next;
    position += token.length;
  }
}

/** The state after `token` where `expected` was allowed; undefined if the token may not appear there. */
function step(expected: Expected, token: string, open: ('{' | '[')[]): Expected | undefined {
  const kind = token.charAt(0);
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma_or_close');
  if (kind === '}' || kind === ']') {
    const mayClose = expected === 'comma_or_close' || expected === (kind === '}' ? 'key_or_close' : 'value_or_close');
    if (!mayClose || open.pop() !== (kind === '}' ? '{' : '[')) return undefined;
    return afterValue();
  }
  if (kind === ',') {
    if (expected !== 'comma_or_close') return undefined;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (kind === ':') return expected === 'colon' ? 'value' : undefined;
  if (expected === 'key' || expected === 'key_or_close') return kind === '"' ? 'colon' : undefined;
  if (expected !== 'value' && expected !== 'value_or_close') return undefined;
  if (kind === '{' || kind === '[') {
    open.push(kind);
    return kind === '{' ? 'key_or_close' : 'value_or_close';
  }
  return afterValue();
}

function skipBlanks(text: string, position: number): number {
  BLANK.lastIndex = position;
  return position + (BLANK.exec(text)?.[0].length ?? 0);
}

function faultAt(text: string, position: number, message: string): JsonSyntaxError {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
