import { isCalleeNumber, type E164 } from '@outdial/contracts';
import { MAX_LINE_LENGTH } from './read-lines.ts';

export interface NumberProblem {
  /** Counts from 1, the header included. */
  readonly line: number;
  /** What stands there, cut. */
  readonly value: string;
  readonly message: string;
}

/** What was read so far. */
export interface NumberTally {
  /** Lines with a number, or with something in its place. */
  readonly lines: number;
  readonly invalid: number;
  /** The first hundred. */
  readonly problems: readonly NumberProblem[];
}

export class NumbersFileError extends Error {
  readonly param: 'body' | 'column';
  /** What is wrong, after the name of the parameter. */
  readonly problem: string;

  constructor(param: 'body' | 'column', problem: string) {
    super(`${param} ${problem}`);
    this.name = 'NumbersFileError';
    this.param = param;
    this.problem = problem;
  }
}

/** Further ones are only counted: no person corrects more by hand. */
const MAX_PROBLEMS = 100;
const MAX_VALUE_LENGTH = 40;
const MAX_COLUMNS_NAMED = 20;

/** Reads the lines of a file of numbers, one by one. */
export interface NumbersReader {
  /** The number of the line; null for a line without one. @throws NumbersFileError if the file cannot be such a list */
  read(line: string): E164 | null;
  tally(): NumberTally;
}

/**
 * CSV as in RFC 4180, without line breaks in quotes: one in the wrong place would swallow the numbers after it. With
 * `column`, the first line names the columns. Without, the first cell of each line is the number, and a first line whose
 * first cell has no digit is a header.
 */
export function createNumbersReader(column?: string): NumbersReader {
  let position = 0;
  let at: number | null = column === undefined ? 0 : null;
  let lines = 0;
  let invalid = 0;
  let mayBeHeader = column === undefined;
  const problems: NumberProblem[] = [];

  function reject(value: string, message: string): null {
    invalid += 1;
    if (problems.length < MAX_PROBLEMS) {
      problems.push({ line: position, value: cut(value), message });
    }
    return null;
  }

  function numberOf(line: string, index: number): E164 | null {
    const isFirst = mayBeHeader;
    mayBeHeader = false;
    const cells = cellsOf(line);
    const cell = (cells === null ? line : (cells[index] ?? '')).trim();
    if (cell === '' || (isFirst && !/\d/.test(cell))) return null;
    lines += 1;
    if (cells === null) return reject(line, 'has a quote that is not closed, or in the wrong place');
    return isCalleeNumber(cell) ? cell : reject(cell, MUST_BE_E164);
  }

  return {
    read(line) {
      position += 1;
      if (line.length > MAX_LINE_LENGTH) {
        throw new NumbersFileError('body', `has a line of more than ${MAX_LINE_LENGTH} characters: line ${position}`);
      }
      if (line.trim() === '') return null;
      if (at !== null) return numberOf(line, at);
      at = indexOf(cellsOf(line) ?? [], column ?? '');
      return null;
    },
    tally: () => ({ lines, invalid, problems }),
  };
}

const MUST_BE_E164 =
  'must be an E.164 telephone number: a plus sign and 7 to 15 digits (ten after +1), such as +12025550143';

/** Without half of a surrogate pair, which strict readers of JSON refuse. */
function cut(value: string): string {
  return value.slice(0, MAX_VALUE_LENGTH).replace(/\p{Surrogate}$/u, '');
}

function indexOf(header: readonly string[], column: string): number {
  const names = header.map((name) => name.trim());
  const index = names.findIndex((name) => name.toLowerCase() === column.trim().toLowerCase());
  if (index >= 0) return index;
  const known = names.slice(0, MAX_COLUMNS_NAMED).join(', ');
  throw new NumbersFileError('column', `must be a column of the first line, which has: ${known.slice(0, 500)}`);
}

/** A cell, in quotes or not, and what ends it. Each character is read once: no line takes long. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

/**
 * Null: the line is not valid CSV. A general parser takes a hundred times as long, and the process answers no request while
 * it reads.
 */
function cellsOf(line: string): readonly string[] | null {
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (let ending = ','; ending === ',';) {
    const match = CELL.exec(line);
    if (match === null) return null;
    const [, quoted, plain = '', end = ''] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    ending = end;
  }
  return cells;
}
