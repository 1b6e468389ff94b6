import { Parser, type Options } from 'csv-parse';
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
  const { on_record: take, ...others } = options;
  const parser = new RecordParser(take, others);
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

type Take = ReturnType<typeof rowOptions>['options']['on_record'];

/**
 * Gives each record to `take` at once, and none to the readable side. The option `on_record` does the same, but copies all counts for
 * each record, which is half of all that the parser allocates.
 */
class RecordParser extends Parser {
  readonly #take: Take;

  constructor(take: Take, options: Options) {
    super(options);
    this.#take = take;
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    this.#take(record, this.info);
    return true;
  }
}
