import { parse } from 'csv-parse';
import { refusalOf, rowOptions, type Row } from './row-options.ts';
import type { Separator } from './separator-finder.ts';

export interface RowParser {
  /** The rows that end in these bytes. Rows without text are left out. @throws ContactFileRefused */
  read(bytes: Uint8Array): Promise<readonly Row[]>;
  /** The last row. @throws ContactFileRefused */
  end(): Promise<readonly Row[]>;
}

/** It holds no more than a row. */
export function createRowParser(separator: Separator): RowParser {
  let rows: Row[] = [];
  const { options, nextLine } = rowOptions(separator, (row) => rows.push(row));
  const parser = parse(options);
  // The callback of the write reports it.
  parser.on('error', () => {});
  parser.resume();

  const taken = (done: (callback: (error?: Error | null) => void) => void) =>
    new Promise<readonly Row[]>((resolve, reject) => {
      done((error) => {
        const parsed = rows;
        rows = [];
        if (error) reject(refusalOf(error, nextLine()));
        else resolve(parsed);
      });
    });

  return {
    read: (bytes) => taken((callback) => parser.write(bytes, callback)),
    end: () => taken((callback) => parser.end(callback)),
  };
}
