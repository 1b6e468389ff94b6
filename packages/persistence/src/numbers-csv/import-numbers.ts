import type { E164 } from '@outdial/contracts';
import { MOST_NUMBERS_OF_A_CHUNK, type AddOutcome } from '../suppressions/add-suppressions.ts';
import { createNumbersReader, type NumberTally } from './numbers-csv.ts';
import { readLines } from './read-lines.ts';

export interface NumbersImport {
  /** The name of a column in the first line. Undefined: the first cell of each line is the number. */
  readonly column?: string | undefined;
  /** Adds at most `MOST_NUMBERS_OF_A_CHUNK` numbers. */
  readonly add: (numbers: readonly E164[]) => Promise<AddOutcome>;
}

export interface ImportReport extends NumberTally {
  readonly added: number;
  /** The bound that the next numbers would have passed. Null: the file was read to its end. */
  readonly limit: number | null;
}

/**
 * Adds the numbers of a CSV file while it is read; memory holds one statement's numbers. Lines that are not valid are
 * reported, and the others added. @throws NumbersFileError; what was added before stays
 */
export async function importNumbers(
  chunks: AsyncIterable<Uint8Array>,
  { column, add }: NumbersImport,
): Promise<ImportReport> {
  const reader = createNumbersReader(column);
  let pending: E164[] = [];
  let added = 0;

  /** The bound, if it was reached. */
  async function flush(): Promise<number | null> {
    if (pending.length === 0) return null;
    const outcome = await add(pending);
    pending = [];
    if (outcome.kind === 'too_many') return outcome.limit;
    added += outcome.added;
    return null;
  }

  for await (const lines of readLines(chunks)) {
    for (const line of lines) {
      const number = reader.read(line);
      if (number === null) continue;
      pending.push(number);
      if (pending.length < MOST_NUMBERS_OF_A_CHUNK) continue;
      const limit = await flush();
      if (limit !== null) return { ...reader.tally(), added, limit };
    }
  }
  const limit = await flush();
  return { ...reader.tally(), added, limit };
}
