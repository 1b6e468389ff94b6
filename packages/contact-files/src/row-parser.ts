import { CsvError, Parser, type Options } from 'csv-parse';
import { ContactFileRefused } from './file-refusal.ts';
import type { Separator } from './separator-finder.ts';

export interface Row {
  /** Where it begins; counts from 1. */
  readonly line: number;
  /** Without the spaces around them. */
  readonly cells: readonly string[];
}

export const MAX_LINE_BYTES = 1_000_000;

export interface RowParser {
  /** The rows that end in these bytes. Rows without text are left out. @throws ContactFileRefused */
  read(bytes: Uint8Array): Promise<readonly Row[]>;
  /** The last row. @throws ContactFileRefused */
  end(): Promise<readonly Row[]>;
}

/** RFC 4180; a quote in the midst of a cell is a character like others. It holds no more than a row. */
export function createRowParser(separator: Separator): RowParser {
  let rows: Row[] = [];
  /** Lines of the rows so far, and as the parser counts them. */
  let lines = 0;
  let counted = 0;

  function take(cells: readonly string[], countedNow: number): void {
    const line = lines + 1;
    const span = countedNow - counted;
    counted = countedNow;
    // It counts a line break of two characters in a cell twice.
    lines += span === 1 ? 1 : span - doubleBreaks(cells);
    const trimmed = cells.map((cell) => cell.trim());
    if (trimmed.some((cell) => cell !== '')) rows.push({ line, cells: trimmed });
  }

  const parser = new RecordParser(take, {
    bom: true,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_LINE_BYTES,
  });
  // The callback of the write reports it.
  parser.on('error', () => {});
  parser.resume();

  const taken = (done: (callback: (error?: Error | null) => void) => void) =>
    new Promise<readonly Row[]>((resolve, reject) => {
      done((error) => {
        const parsed = rows;
        rows = [];
        if (error) reject(refusalOf(error, lines + 1));
        else resolve(parsed);
      });
    });

  return {
    read: (bytes) => taken((callback) => parser.write(bytes, callback)),
    end: () => taken((callback) => parser.end(callback)),
  };
}

/**
 * Gives each record to `take` at once, and none to the readable side. The option `on_record` does the same, but copies all counts for
 * each record, which is half of all that the parser allocates.
 */
class RecordParser extends Parser {
  readonly #take: (cells: readonly string[], lines: number) => void;

  constructor(take: (cells: readonly string[], lines: number) => void, options: Options) {
    super(options);
    this.#take = take;
  }

  override push(record: readonly string[] | null): boolean {
    if (record === null) return super.push(null);
    this.#take(record, this.info.lines);
    return true;
  }
}

function doubleBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\r\n').length - 1, 0);
}

function refusalOf(error: Error, line: number): Error {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new ContactFileRefused('body', `has a quote in line ${line} that is never closed`);
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    const problem = `has a line of more than 1 MB, or a quote that is never closed: line ${line}`;
    return new ContactFileRefused('body', problem);
  }
  return error;
}
