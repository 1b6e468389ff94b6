import { e164Schema, MUST_BE_E164, type E164 } from '@outdial/contracts';
import { CsvError, parse } from 'csv-parse/sync';
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
 * first cell has no digit is a header; a later one is a problem, so that no file is passed over in silence.
 */
export function createNumbersReader(column?: string): NumbersReader {
  let position = 0;
  let isFirst = true;
  let at = 0;
  let lines = 0;
  let invalid = 0;
  const problems: NumberProblem[] = [];

  function reject(value: string, message: string): null {
    invalid += 1;
    if (problems.length < MAX_PROBLEMS) {
      problems.push({ line: position, value: value.slice(0, MAX_VALUE_LENGTH), message });
    }
    return null;
  }

  function isHeader(cells: readonly string[] | null): boolean {
    if (column === undefined) return cells !== null && !/\d/.test(cells[0] ?? '');
    at = indexOf(cells ?? [], column);
    return true;
  }

  function numberOf(line: string, cells: readonly string[] | null): E164 | null {
    const cell = cells?.[at]?.trim() ?? '';
    if (cells !== null && cell === '') return null;
    lines += 1;
    if (cells === null) return reject(line, 'has a quote that is not closed, or in the wrong place');
    const number = e164Schema.safeParse(cell).data;
    return number ?? reject(cell, MUST_BE_E164);
  }

  return {
    read(line) {
      position += 1;
      if (line.length > MAX_LINE_LENGTH) {
        throw new NumbersFileError('body', `has a line of more than ${MAX_LINE_LENGTH} characters: line ${position}`);
      }
      if (line.trim() === '') return null;
      const cells = cellsOf(line);
      const mayBeHeader = isFirst;
      isFirst = false;
      return mayBeHeader && isHeader(cells) ? null : numberOf(line, cells);
    },
    tally: () => ({ lines, invalid, problems }),
  };
}

function indexOf(header: readonly string[], column: string): number {
  const names = header.map((name) => name.trim());
  const index = names.findIndex((name) => name.toLowerCase() === column.trim().toLowerCase());
  if (index >= 0) return index;
  const known = names.slice(0, MAX_COLUMNS_NAMED).join(', ');
  throw new NumbersFileError('column', `must be a column of the first line, which has: ${known.slice(0, 500)}`);
}

/** Null: the line is not valid CSV. */
function cellsOf(line: string): readonly string[] | null {
  // Almost every line: the parser would take ten times as long for the same.
  if (!line.includes('"')) return line.split(',');
  try {
    const rows: string[][] = parse(line, { relax_column_count: true });
    return rows[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
