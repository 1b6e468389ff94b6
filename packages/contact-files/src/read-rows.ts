import { setImmediate as nextTurn } from 'node:timers/promises';
import { ContactFileRefused } from './file-refusal.ts';
import { MAX_LINE_BYTES, type Row } from './row-options.ts';
import { createRowParser, type RowParser } from './row-parser.ts';
import { createSeparatorFinder } from './separator-finder.ts';
import { createUtf8Check } from './utf8-check.ts';

/** Parsed without a pause: about two milliseconds. */
export const MAX_SLICE_BYTES = 16_384;

/**
 * The rows of a CSV file with any of three separators, as it arrives. Memory holds a chunk and a row; others have their turn
 * between two slices.
 *
 * @throws ContactFileRefused
 */
export async function* readRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Row[]> {
  const text = createUtf8Check();
  const separator = createSeparatorFinder();
  const head = createHead();
  let parser: RowParser | null = null;
  for await (const slice of slicesOf(chunks)) {
    text.check(slice);
    if (parser !== null) {
      yield await parser.read(slice);
      continue;
    }
    head.add(slice);
    const found = separator.push(slice);
    if (found === null) continue;
    parser = createRowParser(found);
    for await (const held of slicesOf([head.bytes()])) yield await parser.read(held);
  }
  text.end();
  if (parser === null) {
    parser = createRowParser(separator.end());
    for await (const held of slicesOf([head.bytes()])) yield await parser.read(held);
  }
  yield await parser.end();
}

async function* slicesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += MAX_SLICE_BYTES) {
      yield chunk.subarray(from, from + MAX_SLICE_BYTES);
      await nextTurn();
    }
  }
}

/** What came before the separator was known, in one place: a file may come byte by byte. */
function createHead() {
  let held = Buffer.alloc(0);
  let length = 0;
  return {
    add(bytes: Uint8Array): void {
      if (length + bytes.length > held.length) {
        const longer = Buffer.alloc(Math.max(2 * held.length, length + bytes.length));
        held.copy(longer, 0, 0, length);
        held = longer;
      }
      held.set(bytes, length);
      length += bytes.length;
      if (length > MAX_LINE_BYTES + MAX_SLICE_BYTES) {
        throw new ContactFileRefused(
          'body',
          'has no header: its first line is longer than 1 MB, or has a quote that is never closed',
        );
      }
    },
    bytes: () => held.subarray(0, length),
  };
}
