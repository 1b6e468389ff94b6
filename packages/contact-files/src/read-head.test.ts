import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contactColumns, usualColumns } from './contact-columns.ts';
import { ContactFileRefused } from './file-refusal.ts';
import { readHead, type ReadableFile } from './read-head.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row-options.ts';

const ADA = '+12025551000';

/** A file that says how much of it was read. */
function fileOf(content: string | Uint8Array<ArrayBuffer>) {
  const blob = new Blob([content]);
  const file = {
    size: blob.size,
    read: 0,
    slice(from: number, to: number) {
      file.read = Math.max(file.read, Math.min(to, blob.size));
      return blob.slice(from, to);
    },
  };
  return file satisfies ReadableFile;
}

const head = (content: string | Uint8Array<ArrayBuffer>, count = 10) => readHead(fileOf(content), count);
const refusal = (content: string | Uint8Array<ArrayBuffer>) =>
  head(content).then(
    () => null,
    (error: unknown) => (error instanceof ContactFileRefused ? error.problem : error),
  );

/** The rows that an upload of the file is read as. */
async function uploadedRows(content: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const bytes = new TextEncoder().encode(content);
  for await (const some of readRows(
    (async function* () {
      yield bytes;
    })(),
  ))
    rows.push(...some);
  return rows;
}

describe('the first lines of a file', () => {
  test('have quotes, breaks within cells, a mark at the beginning and any of three separators', async () => {
    for (const [name, separator] of [
      ['comma', ','],
      ['semicolon', ';'],
      ['tab', '\t'],
    ] as const) {
      const lines = [`Phone,Note`, `${ADA},"two\r\nlines"`, '', `"${ADA}","say ""hi"", ${name}"`];
      const text = lines.map((line) => line.replaceAll(/,(?! )/g, separator)).join('\r\n');
      expect(await head(`\uFEFF${text}\r\n`)).toEqual({
        header: { line: 1, cells: ['Phone', 'Note'] },
        rows: [
          { line: 2, cells: [ADA, 'two\r\nlines'] },
          { line: 5, cells: [ADA, `say "hi", ${name}`] },
        ],
        hasMore: false,
      });
    }
  });

  test('are read as an upload reads them, wherever the part that is read ends', async () => {
    const cell = fc.oneof(
      fc.constantFrom('', 'Ada', 'é€😀', '"a, b"', '"x\ny"', '"q""q"', "O'Neil", 'a"b'),
      fc.string({ maxLength: 12, unit: fc.constantFrom('a', ' ', 'é', '7') }),
    );
    const line = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(','));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.nat(65_600), async (lines, padding) => {
        // The padding moves the end of the first part to any place of the lines.
        const text = ['phone', 'x'.repeat(padding), ...lines].join('\n');
        const [header, ...rows] = await uploadedRows(text);
        const { hasMore: _, ...read } = await head(text);
        expect(read).toEqual({ header, rows: rows.slice(0, 10) });
      }),
      { numRuns: 40 },
    );
  });

  test('are all that is read of a large file', async () => {
    const file = fileOf(`phone\n${`${ADA}\n`.repeat(200_000)}`);
    const { rows, hasMore } = await readHead(file, 10);
    expect([rows.length, hasMore, file.read]).toEqual([10, true, 65_536]);
  });

  test('may be long', async () => {
    const { rows } = await head(`phone,note\n${ADA},${'x'.repeat(300_000)}\n${ADA},y\n`);
    expect(rows.map(({ line }) => line)).toEqual([2, 3]);
  });

  test('are refused as an upload is: no text, no header, a quote that never closes', async () => {
    expect(await refusal('')).toContain('has no header');
    expect(await refusal(Uint8Array.from([0x5a, 0x6f, 0xeb, 0x0a]))).toContain('is not UTF-8 text');
    expect(await refusal(Uint8Array.from([0x70, 0x00, 0x68, 0x00]))).toContain('is not UTF-8 text');
    expect(await refusal('phone\n"12')).toContain('has a quote in line 2');
    expect(await refusal(`phone\n"${'x'.repeat(1_100_000)}`)).toContain('line 2');
  });
});

describe('the usual columns', () => {
  const CASES: readonly (readonly [string, readonly string[]])[] = [
    ['Phone,First name,city', ['city']],
    ['number,NAME', ['name']],
    ['phone,number', []],
    ['to_number,phone', ['phone']],
    ['City,Phone_Number', ['city', 'missing']],
  ];

  test('are those that a file without a mapping has', () => {
    for (const [titles, variables] of CASES) {
      const header = { line: 1, cells: titles.split(',') };
      const needed = variables.filter((name) => name !== 'missing');
      const guessed = contactColumns(header, { columns: usualColumns(header.cells, variables), variables: needed });
      expect(guessed).toEqual(contactColumns(header, { columns: {}, variables: needed }));
    }
  });

  test('have no number where no column is called so', () => {
    expect(usualColumns(['Telefon', 'name'], ['name'])).toEqual({ variables: { name: 'name' } });
  });
});
