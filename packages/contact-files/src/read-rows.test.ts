import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inChunks, utf8 } from '../test/chunks.ts';
import { readPlainCsv } from '../test/plain-csv.ts';
import { MAX_SLICE_BYTES, readRows } from './read-rows.ts';
import { MAX_LINE_BYTES, type Row } from './row-options.ts';

async function rowsIn(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const some of readRows(inChunks(bytes, sizes))) rows.push(...some);
  return rows;
}

const cell = fc.string({ unit: fc.constantFrom(...Array.from('aZ09é€😀 ,;\t"\n\r+')), maxLength: 12 });
const quoted = (text: string) => (/[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const file = fc
  .record({
    rows: fc
      .integer({ min: 1, max: 64 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 })),
    separator: fc.constantFrom(',', ';', '\t'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    mark: fc.constantFrom('', '\uFEFF'),
    endsWithBreak: fc.boolean(),
  })
  .map(({ rows, separator, lineEnd, mark, endsWithBreak }) => {
    const width = rows[0]?.length ?? 2;
    const header = Array.from({ length: Math.max(width, 2) }, (_, at) => `column ${at}`);
    const lines = [header, ...rows].map((cells) => cells.map(quoted).join(separator));
    return { separator, text: mark + lines.join(lineEnd) + (endsWithBreak ? lineEnd : '') };
  });

describe('the rows of a file', () => {
  test('are those of a plain reader, wherever its bytes are cut', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(file, sizes, async ({ text, separator }, cuts) => {
        const expected = readPlainCsv(text, separator).map(({ line, cells }) => ({
          line,
          cells: cells.map((plain) => plain.trim()),
        }));
        expect(await rowsIn(utf8(text), cuts)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['a quote in the midst of a cell', 'a,b\n5" pipe,2\n', ['5" pipe', '2']],
    ['text behind a closing quote', 'a,b\n"Ada" S.,2\n', ['"Ada" S.', '2']],
    ['semicolons in a header with a comma', 'a;b;"c,d,e,f"\n1;2;3\n', ['1', '2', '3']],
    ['a header of one column', 'phone\n1;2\n', ['1;2']],
    ['empty lines before the header', '\r\n\n \n"a",b\n1,2\n', ['1', '2']],
  ])('may have %s', async (_, text, cells) => {
    expect((await rowsIn(utf8(text))).at(-1)?.cells).toEqual(cells);
  });

  test.each([
    ['Latin-1', Buffer.from('name\nAda\nZo\xEB\n', 'latin1'), 'line 3'],
    ['UTF-16', Buffer.from('\uFEFFname\nAda\n', 'utf16le'), 'line 1'],
    ['UTF-16 without a mark', Buffer.from('name\nAda\n', 'utf16le'), 'line 1'],
    ['a character that is cut', Buffer.from('name\nZoë').subarray(0, -1), 'line 2'],
  ])('are refused in %s, with the line and what to do', async (_, bytes, line) => {
    for (const sizes of [[1], [3], [1_000]]) {
      const refusal = rowsIn(bytes, sizes);
      await expect(refusal).rejects.toThrow(`in ${line}`);
      await expect(refusal).rejects.toThrow('CSV UTF-8');
    }
  });

  test.each([
    ['in the last row', 'a,b\r\n"x\r\ny",2\r\n3,"4\r\n5,6\r\n', 'line 4'],
    ['of a megabyte', `a,b\n1,"${'2\n'.repeat(600_000)}`, 'line 2'],
    ['in the header', `a,"b\n${'1,2\n'.repeat(300_000)}`, 'first line'],
  ])('are refused for a quote that is never closed %s', async (_, text, line) => {
    await expect(rowsIn(utf8(text))).rejects.toThrow(line);
  });
});

/** Bytes that are handed over before the sender is asked for more, or another has its turn. */
async function longestTurn(unit: string, count: number) {
  const bytes = utf8(unit.repeat(count));
  let taken = 0;
  let longest = 0;
  let sinceTurn = 0;
  let isOver = false;
  const others = (function turn(): NodeJS.Immediate {
    sinceTurn = 0;
    return setImmediate(() => !isOver && turn());
  })();
  async function* chunks() {
    for await (const chunk of inChunks(bytes, [MAX_SLICE_BYTES])) {
      taken += chunk.length;
      sinceTurn += chunk.length;
      longest = Math.max(longest, sinceTurn);
      yield chunk;
    }
  }
  const error = await (async () => {
    for await (const _ of readRows(chunks()));
    return null;
  })().catch((failure: unknown) => failure);
  isOver = true;
  clearImmediate(others);
  return { taken, longest, error };
}

describe('a hostile file', () => {
  test.each([
    ['quotes', '"', 3_000_001],
    ['doubled quotes in a cell', '"a""', 700_000],
    ['empty cells in quotes', '"",', 900_000],
    ['one endless line', 'x', 20_000_000],
    ['separators', ',', 3_000_000],
  ])(
    'of %s is given up within little more than a line, and others have a turn after each slice',
    async (_, unit, count) => {
      const { taken, longest, error } = await longestTurn(unit, count);
      expect(longest).toBeLessThanOrEqual(2 * MAX_SLICE_BYTES);
      expect(error).toBeInstanceOf(Error);
      expect(taken).toBeLessThanOrEqual(3 * MAX_LINE_BYTES);
    },
  );

  test('that begins byte by byte is read once', async () => {
    const header = Array.from({ length: 900 }, (_, at) => `a column with a name of some length ${at}`).join(',');
    const rows = await rowsIn(utf8(`${header}\n${','.repeat(899)}1\n`), [1]);
    expect(rows.map(({ line, cells }) => [line, cells.length])).toEqual([
      [1, 900],
      [2, 900],
    ]);
  });
});
