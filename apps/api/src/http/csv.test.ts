import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

/** RFC 4180, read by its grammar. */
function parseLine(line: string): string[] {
  const fields: string[] = [];
  let rest = line.replace(/\r\n$/, ',');
  while (rest !== '') {
    const [whole = '', quoted, plain = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/s.exec(rest) ?? [];
    expect(whole).not.toBe('');
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    rest = rest.slice(whole.length);
  }
  return fields;
}

it('keeps any text, with an apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      const fields = parseLine(csvLine(cells));
      expect(fields.map((field, index) => (field === cells[index] ? field : field.replace(/^'/, '')))).toEqual(cells);
      for (const field of fields) expect(field).toMatch(/^(?![=+\-@\t\r\n])|^\+[1-9]\d{6,14}$/);
    }),
  );
});

describe('a cell', () => {
  it.each([
    ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
    ['+1+1', "'+1+1"],
    ['-2+3+cmd|’ /C calc’!A0', "'-2+3+cmd|’ /C calc’!A0"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['+12025550143', '+12025550143'],
    ['+12025550143+1', "'+12025550143+1"],
    ['a "quoted", text', '"a ""quoted"", text"'],
    ['first; second', '"first; second"'],
    [';=1+1', '";=1+1"'],
    ['=1;2', `"'=1;2"`],
    ['two\nlines', '"two\nlines"'],
    ['Zoë', 'Zoë'],
    ['', ''],
  ])('%j becomes %j', (text, field) => {
    expect(csvLine([text])).toBe(`${field}\r\n`);
  });

  it('is empty for null, and a number for a number', () => {
    expect(csvLine([null, 0, -1.5, 0.000001])).toBe(',0,-1.5,0.000001\r\n');
  });
});
