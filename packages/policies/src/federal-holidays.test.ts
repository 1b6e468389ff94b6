import { expect, test } from 'vitest';
import { usFederalHolidays } from './federal-holidays.ts';

/** As the Office of Personnel Management lists them; observed days after a plus sign. */
const WRITTEN_OUT: Readonly<Record<number, string>> = {
  2026: '01-01 01-19 02-16 05-25 06-19 07-03+ 07-04 09-07 10-12 11-11 11-26 12-25',
  2027: '01-01 01-18 02-15 05-31 06-18+ 06-19 07-04 07-05+ 09-06 10-11 11-11 11-25 12-24+ 12-25 12-31+',
  2028: '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10+ 11-11 11-23 12-25',
  2029: '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-11 11-12+ 11-22 12-25',
};

function writtenOut(year: number): string[] {
  return (WRITTEN_OUT[year] ?? '').split(' ').map((day) => `${year}-${day.replace('+', '')}`);
}

test.each(Object.keys(WRITTEN_OUT).map(Number))('the federal holidays of %i are those written out', (year) => {
  expect(usFederalHolidays(year, 1)).toEqual(writtenOut(year));
});

test('holidays of several years are in order, each once', () => {
  expect(usFederalHolidays(2026, 4)).toEqual([2026, 2027, 2028, 2029].flatMap(writtenOut));
  expect(usFederalHolidays(2026, 0)).toEqual([]);
});

test('New Year on a Sunday is observed on the Monday after it', () => {
  expect(usFederalHolidays(2034, 1)).toEqual(expect.arrayContaining(['2034-01-01', '2034-01-02']));
});
