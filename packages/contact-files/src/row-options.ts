import { ContactFileRefused } from './file-refusal.ts';
import type { Separator } from './separator-finder.ts';

export interface Row {
  /** Where it begins; counts from 1. */
  readonly line: number;
  /** Without the spaces around them. */
  readonly cells: readonly string[];
}

export const MAX_LINE_BYTES = 1_000_000;

/**
 * The options of csv-parse, for its stream and for its whole texts: RFC 4180; a quote in the midst of a cell is a character
 * like others.
 *
 * @param onRow is given each row with text.
 */
export function rowOptions(separator: Separator, onRow: (row: Row) => void) {
  /** Lines of the rows so far, and as the parser counts them. */
  let lines = 0;
  let counted = 0;
  return {
    /** Where the next row begins. */
    nextLine: () => lines + 1,
    options: {
      bom: true,
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: MAX_LINE_BYTES,
      on_record: (cells: string[], info: { readonly lines: number }) => {
        const line = lines + 1;
        const span = info.lines - counted;
        counted = info.lines;
        // It counts a line break of two characters in a cell twice.
        lines += span === 1 ? 1 : span - doubleBreaks(cells);
        const trimmed = cells.map((cell) => cell.trim());
        if (trimmed.some((cell) => cell !== '')) onRow({ line, cells: trimmed });
        // The rows are taken here.
        return null;
      },
    },
  };
}

function doubleBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\r\n').length - 1, 0);
}

const OPEN_QUOTE = 'CSV_QUOTE_NOT_CLOSED';
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The text ends within a cell. */
export function isOpenQuote(error: unknown): boolean {
  return codeOf(error) === OPEN_QUOTE;
}

/** What an error of csv-parse says of the file. */
export function refusalOf(error: Error, line: number): Error {
  if (isOpenQuote(error)) return new ContactFileRefused('body', `has a quote in line ${line} that is never closed`);
  if (codeOf(error) === 'CSV_MAX_RECORD_SIZE') {
    return new ContactFileRefused(
      'body',
      `has a line of more than 1 MB, or a quote that is never closed: line ${line}`,
    );
  }
  return error;
}
