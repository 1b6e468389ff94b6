import type { E164 } from '@outdial/contracts';
import { formatCount } from '../format/numbers.ts';
import { readNumber } from './read-number.ts';

interface InvalidLine {
  /** Counts from 1, blank lines included. */
  readonly line: number;
  readonly text: string;
}

interface NumberLines {
  /** Each number once, in the order of the lines. */
  readonly numbers: readonly E164[];
  readonly invalid: readonly InvalidLine[];
}

/** Reads pasted numbers, one per line, in any common notation. Blank lines are skipped. */
export function readNumberLines(text: string): NumberLines {
  const numbers = new Set<E164>();
  const invalid: InvalidLine[] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const number = readNumber(line);
    if (number === null) invalid.push({ line: at + 1, text: line.trim() });
    else numbers.add(number);
  }
  return { numbers: [...numbers], invalid };
}

/**
 * What is wrong with the lines as a whole. Null: they can be added.
 * @param most numbers in one request.
 */
export function linesError({ numbers, invalid }: NumberLines, most: number): string | null {
  if (invalid.length === 1) return 'One line is not a number with its country code';
  if (invalid.length > 1) return `${formatCount(invalid.length)} lines are not numbers with their country code`;
  if (numbers.length === 0) return 'Enter at least one number';
  if (numbers.length > most) {
    return `At most ${most} numbers at once, and these are ${formatCount(numbers.length)}: import a file instead`;
  }
  return null;
}
