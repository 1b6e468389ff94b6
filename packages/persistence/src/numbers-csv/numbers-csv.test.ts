import { describe, expect, test } from 'vitest';
import { importNumbers, type ImportReport } from './import-numbers.ts';
import { NumbersFileError } from './numbers-csv.ts';
import { MAX_LINE_LENGTH } from './read-lines.ts';

const ADA = '+12025551000';
const BEN = '+12025551001';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const addAll = async (numbers: readonly string[]) => ({ kind: 'added', added: numbers.length }) as const;
const addNothing = () => Promise.reject(new Error('there is nothing to add'));

/** Reads a file in chunks of every size up to nine bytes, which must make no difference. */
async function read(file: string, column?: string): Promise<{ numbers: string[]; report: ImportReport }> {
  const outcomes = [];
  for (let size = 1; size < 10; size += 1) {
    const numbers: string[] = [];
    const report = await importNumbers(inChunks(new TextEncoder().encode(file), size), {
      column,
      async add(more) {
        numbers.push(...more);
        return { kind: 'added', added: more.length };
      },
    });
    outcomes.push({ numbers, report });
  }
  const [first] = outcomes;
  if (first === undefined) throw new Error('nothing was read');
  for (const outcome of outcomes) expect(outcome).toEqual(first);
  return first;
}

const numbersIn = async (file: string, column?: string) => (await read(file, column)).numbers;
const problemsIn = async (file: string, column?: string) => {
  const { report } = await read(file, column);
  return report.problems.map(({ line, value }) => [line, value]);
};

describe('a file of numbers', () => {
  test.each([
    ['line feeds', `${ADA}\n${BEN}\n`],
    ['carriage returns and line feeds', `${ADA}\r\n${BEN}\r\n`],
    ['carriage returns', `${ADA}\r${BEN}\r`],
    ['no final line end', `${ADA}\n${BEN}`],
    ['a byte order mark', `\uFEFF${ADA}\n${BEN}\n`],
    ['a byte order mark and a header', `\uFEFFnumber\n${ADA}\n${BEN}\n`],
    ['empty lines and spaces', `\n ${ADA} \n\n  \n${BEN}\t\n\n`],
    ['quotes', `"${ADA}"\n"${BEN}"\n`],
    ['more columns', `phone,name\n${ADA},Ada\n"${BEN}","Smith, Ben"\n`],
  ])('may have %s', async (_, file) => {
    const { numbers, report } = await read(file);
    expect([numbers, report.lines, report.invalid]).toEqual([[ADA, BEN], 2, 0]);
  });

  test('names the column in its header, in capitals or not', async () => {
    const file = `name,"Phone, mobile",city\nAda,${ADA},Boston\n"B, Ben",${BEN}\nno number,,Paris\n`;
    expect(await numbersIn(file, 'phone, mobile')).toEqual([ADA, BEN]);
    await expect(read(file, 'fax')).rejects.toThrow(NumbersFileError);
  });

  test('reports each line without a valid number, and reads on', async () => {
    const file = `${ADA}\n12025551000\n+1 202 555 1000\n"${BEN}\n${BEN}\n${'9'.repeat(60)}\n`;
    const { numbers, report } = await read(file);
    expect(numbers).toEqual([ADA, BEN]);
    expect([report.lines, report.invalid]).toEqual([6, 4]);
    expect(await problemsIn(file)).toEqual([
      [2, '12025551000'],
      [3, '+1 202 555 1000'],
      [4, `"${BEN}`],
      [6, '9'.repeat(40)],
    ]);
  });

  test('a first line with a digit is a number that is wrong, and not a header', async () => {
    expect(await problemsIn(`+1202555l000\n${ADA}\n`)).toEqual([[1, '+1202555l000']]);
  });

  test('what is shown of a long value never ends in half a character', async () => {
    expect(await problemsIn(`${'9'.repeat(39)}😀9\n`)).toEqual([[1, '9'.repeat(39)]]);
  });

  test('a first line whose quote is not closed is reported, not taken for a header', async () => {
    expect(await problemsIn(`"${ADA}\n${BEN}\n`)).toEqual([[1, `"${ADA}`]]);
  });

  test('only the first line is a header: a second without a digit is reported', async () => {
    expect(await problemsIn(`phone\nunknown\n${ADA}\n`)).toEqual([[2, 'unknown']]);
  });

  test.each([
    ['a cell after a quoted one', `"${ADA}"x`],
    ['a quote in a cell without quotes', `${ADA}"`],
    ['a space before a quote', ` "${ADA}"`],
    ['a formula', `="${ADA}"`],
    ['a quote alone', '"'],
  ])('%s is not CSV, and is reported', async (_, line) => {
    expect(await problemsIn(`${BEN}\n${line}\n`)).toEqual([[2, line]]);
  });

  test.each([
    ['numbers in quotes', `"${ADA}"\n`, true],
    ['lines that are not valid', '1\n', false],
    ['quotes that are not closed', '"1\n', false],
    ['many cells in quotes', `"1"${',""'.repeat(20_000)}\n`, false],
    ['doubled quotes that are not closed', `"1${'""'.repeat(30_000)}\n`, false],
  ])('a megabyte of %s is read to its last line', async (_, line, isValid) => {
    const count = Math.ceil(2 ** 20 / line.length);
    const bytes = new TextEncoder().encode(line.repeat(count));
    const report = await importNumbers(inChunks(bytes, 65_536), { add: isValid ? addAll : addNothing });
    expect([report.lines, report.invalid]).toEqual([count, isValid ? 0 : count]);
  });

  test('a long line that comes in small chunks is one line', async () => {
    const bytes = new TextEncoder().encode(`1${'x'.repeat(65_000)}\n`.repeat(8));
    const report = await importNumbers(inChunks(bytes, 8), { add: addNothing });
    expect([report.lines, report.invalid]).toEqual([8, 8]);
  });

  test('a text that is not UTF-8 spoils its own cells alone', async () => {
    const bytes = Buffer.concat([Buffer.from(`${ADA},Zo`), Buffer.from([0xeb]), Buffer.from(`\n${BEN},Ben\n`)]);
    const numbers: string[] = [];
    await importNumbers(inChunks(bytes, 5), {
      async add(more) {
        numbers.push(...more);
        return { kind: 'added', added: more.length };
      },
    });
    expect(numbers).toEqual([ADA, BEN]);
  });

  test('of ten thousand problems, the first hundred are named', async () => {
    const bytes = new TextEncoder().encode('9\n'.repeat(10_000));
    const report = await importNumbers(inChunks(bytes, 65_536), { add: addNothing });
    expect([report.problems.length, report.invalid]).toEqual([100, 10_000]);
  });

  test('a line without an end is refused before it is held whole', async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 16_384;
        yield new Uint8Array(16_384).fill(0x78);
      }
    }
    await expect(importNumbers(endless(), { add: addNothing })).rejects.toThrow('line 1');
    expect(sent).toBeLessThan(2 * MAX_LINE_LENGTH);
  });

  test('stops at the bound of the list', async () => {
    const file = Array.from({ length: 5_000 }, (_, at) => `+${12_025_560_000 + at}`).join('\n');
    let times = 0;
    const report = await importNumbers(inChunks(new TextEncoder().encode(file), 65_536), {
      async add(numbers) {
        times += 1;
        return times === 1 ? { kind: 'added', added: numbers.length } : { kind: 'too_many', limit: 7 };
      },
    });
    expect([report.added, report.limit, times]).toEqual([2_000, 7, 2]);
  });
});
