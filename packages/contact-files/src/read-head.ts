import { parse } from 'csv-parse/browser/esm/sync';
import { ContactFileRefused } from './file-refusal.ts';
import { isOpenQuote, MAX_LINE_BYTES, refusalOf, rowOptions, type Row } from './row-options.ts';
import { createSeparatorFinder } from './separator-finder.ts';

/** What a file begins with. */
export interface FileHead {
  readonly header: Row;
  /** At most as many as were asked for. */
  readonly rows: readonly Row[];
  /** There is more in the file. */
  readonly hasMore: boolean;
}

/** The part of a browser's `Blob` that is read. */
export interface ReadableFile {
  readonly size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** Enough for ten lines of most files. */
const FIRST_BYTES = 65_536;
const MOST_BYTES = 4 * MAX_LINE_BYTES;

/**
 * The header and the first rows, as `readContacts` reads them, without the rest of the file. Of rows that are very long it
 * returns fewer. Runs in a browser.
 *
 * @throws ContactFileRefused
 */
export async function readHead(file: ReadableFile, count: number): Promise<FileHead> {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const bytes = new Uint8Array(await file.slice(0, length).arrayBuffer());
    const isWhole = bytes.length >= file.size;
    const [header, ...rows] = rowsIn(bytes, isWhole);
    const isEnough = rows.length >= count || isWhole || length >= MOST_BYTES;
    if (header !== undefined && isEnough) {
      return { header, rows: rows.slice(0, count), hasMore: !isWhole || rows.length > count };
    }
    if (isEnough) throw noHeader();
  }
}

/** The rows that are whole. */
function rowsIn(bytes: Uint8Array, isWhole: boolean): readonly Row[] {
  const text = textOf(bytes, isWhole);
  const separator = createSeparatorFinder();
  const found = separator.push(bytes) ?? separator.end();
  const rows: Row[] = [];
  const { options, nextLine } = rowOptions(found, (row) => rows.push(row));
  try {
    parse(text, options);
  } catch (error) {
    // The cell may close in what was not read. Its row is not among these.
    if (!isWhole && isOpenQuote(error)) return rows;
    throw error instanceof Error ? refusalOf(error, nextLine()) : error;
  }
  // The last one may go on.
  return isWhole ? rows : rows.slice(0, -1);
}

/** Without the part of a character at the end of what was read. */
function textOf(bytes: Uint8Array, isWhole: boolean): string {
  // UTF-16 would be text of these too.
  if (bytes.includes(0)) throw noText();
  try {
    // The parser takes a text, or the buffer of its bundle. It also removes the byte order mark.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    throw noText();
  }
}

function noText(): ContactFileRefused {
  return new ContactFileRefused('body', 'is not UTF-8 text: save it as “CSV UTF-8”, and choose it again');
}

function noHeader(): ContactFileRefused {
  return new ContactFileRefused('body', 'has no header: its first line must name the columns');
}
