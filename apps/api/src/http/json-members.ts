import { dottedPath, type InvalidParam } from '@outdial/contracts';
import { isKeptExactly } from './json-number.ts';

/** An object or array that is open at the current position. */
interface Level {
  /** The members' names so far; null in an array. */
  readonly names: Set<string> | null;
  /** The current member or element. */
  current: string | number;
  awaitsName: boolean;
}

const MAX_DEPTH = 32;

const NUMBER_CHARACTERS = /[-+.\deE]+/y;
const NOT_EXACT = 'is a number that cannot be stored exactly: write it as a string, or with fewer digits';

const [MINUS, DIGIT_0, DIGIT_9] = [45, 48, 57];
const [QUOTATION_MARK, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 44, 123, 125, 91, 93];

/**
 * Finds what `JSON.parse` silently accepts: a duplicate name (the last one wins, so that two readers may see different
 * calls), `__proto__` as a name, a number that a double cannot represent, and unlimited depth. Null if the text has
 * none of these.
 * @param text valid JSON.
 */
export function memberError(text: string): InvalidParam | null {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    const top = levels.at(-1);
    if (character === QUOTATION_MARK) {
      const end = endOfString(text, at);
      if (top?.names && top.awaitsName) {
        const message = takeName(top, top.names, text.slice(at, end + 1));
        if (message !== null) return { param: pathOf(levels), message };
      }
      at = end;
    } else if (character === MINUS || (character >= DIGIT_0 && character <= DIGIT_9)) {
      const number = numberAt(text, at);
      if (!isKeptExactly(number)) return { param: pathOf(levels), message: NOT_EXACT };
      at += number.length - 1;
    } else if (character === COMMA) {
      if (top) advance(top);
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (levels.length === MAX_DEPTH) return { param: pathOf(levels), message: 'is nested too deeply' };
      const isObject = character === OPEN_BRACE;
      levels.push({ names: isObject ? new Set() : null, current: 0, awaitsName: isObject });
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      levels.pop();
    }
  }
  return null;
}

/** Past a comma: moves to the next member or element. */
function advance(level: Level): void {
  if (level.names) level.awaitsName = true;
  else if (typeof level.current === 'number') level.current += 1;
}

/** @returns what is wrong with the name, or null. */
function takeName(level: Level, names: Set<string>, quoted: string): string | null {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  level.current = name;
  level.awaitsName = false;
  if (name === '__proto__') return 'is not an allowed name';
  if (names.has(name)) return 'appears twice: send it once';
  names.add(name);
  return null;
}

function numberAt(text: string, start: number): string {
  NUMBER_CHARACTERS.lastIndex = start;
  return NUMBER_CHARACTERS.exec(text)?.[0] ?? '';
}

/** The position of the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function pathOf(levels: readonly Level[]): string {
  return dottedPath(levels.map((level) => level.current));
}
