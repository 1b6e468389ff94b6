import { micros } from '@outdial/contracts';
import type { DeckRate } from '../administration/rates.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRatesCsv } from './format-rates-csv.ts';
import { parseRatesCsv, readRatesCsv } from './parse-rates-csv.ts';

const HEADER = 'prefix,description,connection_fee,price_per_minute,increments';
const GOOD = '1202,Washington DC,0.00,0.012,60/60';

const problemsOf = (text: string) => {
  const parsed = parseRatesCsv(text);
  return parsed.ok ? [] : parsed.problems.map(({ line, message }) => ({ line, message }));
};

const characters = (text: string) => Array.from(text);
const description = fc
  .string({ unit: fc.constantFrom(...characters('aZ9é€ ,"\'/=#;😀')), maxLength: 40 })
  .map((text) => text.trim());
const price = fc.bigInt({ min: 0n, max: 1_000_000_000_000n }).map(micros);
const increment = fc.integer({ min: 1, max: 3_600 });
const rate: fc.Arbitrary<DeckRate> = fc.record({
  prefix: fc.stringMatching(/^[1-9][0-9]{0,14}$/),
  description,
  connectionFeeMicros: price,
  pricePerMinuteMicros: price,
  initialIncrementSeconds: increment,
  incrementSeconds: increment,
});
const deck = fc.uniqueArray(rate, { minLength: 1, maxLength: 30, selector: (row) => row.prefix });

describe('a rates file', () => {
  test('is parsed into rates with prices in micros', () => {
    expect(parseRatesCsv(`${HEADER}\n${GOOD}\n4420,"London, UK",0.05,0.1,30/6\n`)).toEqual({
      ok: true,
      rates: [
        {
          prefix: '1202',
          description: 'Washington DC',
          connectionFeeMicros: 0n,
          pricePerMinuteMicros: 12_000n,
          initialIncrementSeconds: 60,
          incrementSeconds: 60,
        },
        {
          prefix: '4420',
          description: 'London, UK',
          connectionFeeMicros: 50_000n,
          pricePerMinuteMicros: 100_000n,
          initialIncrementSeconds: 30,
          incrementSeconds: 6,
        },
      ],
    });
  });

  test('from a spreadsheet is accepted: byte order mark, CRLF, empty lines, columns in another order', () => {
    const text =
      '\uFEFFIncrements, prefix,price_per_minute,connection_fee,description\r\n\r\n60/60,1202,0.012,0,DC\r\n';
    expect(parseRatesCsv(text)).toMatchObject({ ok: true, rates: [{ prefix: '1202', description: 'DC' }] });
  });

  test('that was exported quotes a semicolon, at which some spreadsheets would split the field', () => {
    const parsed = parseRatesCsv(`${HEADER}\n1202,Washington; DC,0,0.012,60/60`);
    expect(parsed.ok && formatRatesCsv(parsed.rates)).toContain('"Washington; DC"');
  });

  test('that was exported from a deck is parsed as the same deck', () => {
    fc.assert(
      fc.property(deck, (rates) => {
        expect(parseRatesCsv(formatRatesCsv(rates))).toEqual({ ok: true, rates });
      }),
    );
  });
});

async function* piecesOf(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('a rates file that arrives in chunks', () => {
  test('is parsed like the whole file, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(deck, fc.integer({ min: 1, max: 50 }), fc.boolean(), async (rates, size, isWindows) => {
        const text = formatRatesCsv(rates).replaceAll('\n', isWindows ? '\r\n' : '\n');
        expect(await readRatesCsv(piecesOf(Buffer.from(text), size))).toEqual({ ok: true, rates });
      }),
    );
  });

  test('with bytes that are not UTF-8 names the line', async () => {
    const broken = Buffer.concat([Buffer.from(`${HEADER}\n1202,`), Buffer.of(0xff), Buffer.from(',0,0.01,60/60\n')]);
    expect(await readRatesCsv(piecesOf(broken, 100))).toMatchObject({
      ok: false,
      problems: [{ line: 2, column: 'description' }],
    });
  });

  test('with problems in every line keeps the first thousand and counts the rest', async () => {
    const text = `${HEADER}\n${'x,DC,0,0.01,60/60\n'.repeat(1_200)}`;
    const parsed = await readRatesCsv(piecesOf(Buffer.from(text), 4_096));
    expect(parsed).toMatchObject({ ok: false, problemCount: 1_200 });
    expect(parsed.ok ? 0 : parsed.problems.length).toBe(1_000);
  });
});

describe('a rates file with a problem is rejected whole', () => {
  test.each([
    ['an empty file', '', 1, 'the first line must name the columns'],
    ['no header', GOOD, 1, 'missing: prefix, description'],
    ['a missing column', 'prefix,description,connection_fee,price_per_minute\n', 1, 'missing: increments'],
    ['an unknown column', `${HEADER},note\n${GOOD},x`, 1, 'each once and no other'],
    ['a column given twice', `${HEADER},prefix\n${GOOD},1`, 1, 'each once and no other'],
    ['a header alone', `${HEADER}\n`, 1, 'the file has no rates'],
    ['too few columns', `${HEADER}\n1202,DC,0,0.01`, 2, 'has 4 columns instead of 5'],
    ['an unquoted comma', `${HEADER}\n1202,Washington, DC,0,0.01,60/60`, 2, 'put a value that has commas in double'],
    ['a plus sign', `${HEADER}\n+1202,DC,0,0.01,60/60`, 2, 'prefix "+1202" must be 1 to 15 digits'],
    ['a prefix that begins with 0', `${HEADER}\n0202,DC,0,0.01,60/60`, 2, 'prefix "0202"'],
    ['a prefix of 16 digits', `${HEADER}\n1234567890123456,DC,0,0.01,60/60`, 2, 'prefix'],
    ['no prefix', `${HEADER}\n,DC,0,0.01,60/60`, 2, 'prefix ""'],
    ['a negative price', `${HEADER}\n1202,DC,0,-0.01,60/60`, 2, 'price_per_minute "-0.01"'],
    ['a price of seven decimals', `${HEADER}\n1202,DC,0,0.0000001,60/60`, 2, 'at most six decimals'],
    ['a price that is no number', `${HEADER}\n1202,DC,0,NaN,60/60`, 2, 'price_per_minute "NaN"'],
    ['a price above the limit', `${HEADER}\n1202,DC,0,1000000.000001,60/60`, 2, 'price_per_minute'],
    ['a decimal comma', `${HEADER}\n1202,DC,0,"0,012",60/60`, 2, 'price_per_minute "0,012"'],
    ['a broken fee', `${HEADER}\n1202,DC,free,0.01,60/60`, 2, 'connection_fee "free"'],
    ['one increment', `${HEADER}\n1202,DC,0,0.01,60`, 2, 'increments "60"'],
    ['an increment of 0', `${HEADER}\n1202,DC,0,0.01,60/0`, 2, 'increments "60/0"'],
    ['an increment above an hour', `${HEADER}\n1202,DC,0,0.01,3601/1`, 2, 'increments "3601/1"'],
    ['a stray quote', `${HEADER}\n1202,D"C,0,0.01,60/60`, 2, 'stray double quote'],
    ['a control character', `${HEADER}\n1202,D\u0000C,0,0.01,60/60`, 2, 'control characters'],
    ['a long description', `${HEADER}\n1202,${'x'.repeat(201)},0,0.01,60/60`, 2, 'at most 200 characters'],
  ])('%s', (_name, text, line, message) => {
    expect(problemsOf(text)).toEqual([{ line, message: expect.stringContaining(message) }]);
  });

  test('a duplicate prefix names both lines', () => {
    expect(problemsOf(`${HEADER}\n${GOOD}\n1203,DC,0,0.01,1/1\n${GOOD}`)).toEqual([
      { line: 4, message: 'prefix 1202 is already in line 2; keep one of the two' },
    ]);
  });

  test('a problem in a cell names its column', () => {
    const parsed = parseRatesCsv(`${HEADER}\n1202,DC,free,0.01,60/60`);
    expect(parsed).toMatchObject({ ok: false, problems: [{ line: 2, column: 'connection_fee' }] });
  });

  test('a line with several problems names each', () => {
    const messages = problemsOf(`${HEADER}\nx,DC,y,z,w`).map((problem) => problem.message.split(' ')[0]);
    expect(messages).toEqual(['prefix', 'connection_fee', 'price_per_minute', 'increments']);
  });

  test('an unclosed quote does not hide the problems after it', () => {
    expect(problemsOf(`${HEADER}\n1202,"open,0,0.01,60/60\n${GOOD}\nx,DC,0,0.01,60/60`)).toMatchObject([
      { line: 2 },
      { line: 4 },
    ]);
  });

  test('exactly the broken lines are named', () => {
    const brokenLine = fc.constantFrom('x', '1202', 'x,DC,0,0.01,60/60', '99,"open,0,0.01,60/60', '99,DC,0,,60/60');
    fc.assert(
      fc.property(deck, fc.array(fc.record({ at: fc.nat(), line: brokenLine }), { maxLength: 5 }), (rates, broken) => {
        const lines = formatRatesCsv(rates)
          .trimEnd()
          .split('\n')
          .map((text) => ({ text, broken: false }));
        for (const bad of broken) {
          lines.splice(1 + (bad.at % lines.length), 0, { text: bad.line, broken: true });
        }
        const named = new Set(problemsOf(lines.map((line) => line.text).join('\n')).map((problem) => problem.line));
        expect([...named]).toEqual(lines.flatMap((line, index) => (line.broken ? [index + 1] : [])));
      }),
    );
  });

  test('any text is either a deck or a list of problems, never an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...characters('12,"\n\r/. a\u0000')), maxLength: 200 }), (text) => {
        const parsed = parseRatesCsv(`${HEADER}\n${text}`);
        expect(parsed.ok || parsed.problems.length > 0).toBe(true);
      }),
    );
  });
});
