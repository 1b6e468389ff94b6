import { placeOf } from '@outdial/numbering';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminDriver, type AdminDriver } from '../testing/admin-driver.ts';
import { placeReport } from './number-place.ts';

const AT_MS = Date.UTC(2026, 10, 27, 18, 5);
let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

test('the place of a number has each zone of its area code with the time there', () => {
  const number = '+14235550100';
  const { json, text } = placeReport(number, placeOf(number), AT_MS);
  expect(json).toEqual({
    place: {
      number,
      country: 'US',
      regions: ['US-TN'],
      zones: [
        { zone: 'America/Chicago', local_time: '2026-11-27T12:05:00-06:00' },
        { zone: 'America/New_York', local_time: '2026-11-27T13:05:00-05:00' },
      ],
      certain: true,
      at: '2026-11-27T18:05:00.000Z',
    },
  });
  expect(text).toEqual([
    'Number   +14235550100',
    'Country  US',
    'Regions  US-TN',
    'Certain  yes',
    '',
    'ZONE              LOCAL TIME',
    'America/Chicago   2026-11-27 12:05 -06:00',
    'America/New_York  2026-11-27 13:05 -05:00',
  ]);
});

test('a toll-free number says that it may be anywhere in the country', () => {
  const { text } = placeReport('+18005550100', placeOf('+18005550100'), AT_MS);
  expect(text).toContain('Certain  no: it may be anywhere in the country');
  expect(text.join('\n')).toMatch(/^Pacific\/Honolulu +2026-11-27 08:05 -10:00$/m);
});

test('a number of no country has no time', () => {
  const { text } = placeReport('+881612345678', placeOf('+881612345678'), AT_MS);
  expect(text.at(-1)).toBe('The number belongs to no country, so no time zone is known.');
});

test('`numbers place` shows the time of now, and rejects what is no number', async () => {
  const before = Date.now();
  expect(await driver.json(['numbers', 'place', '+4915112345678'])).toMatchObject({
    place: { country: 'DE', zones: [{ zone: 'Europe/Berlin' }], certain: true },
  });
  const { stdout } = await driver.run(['numbers', 'place', '+17875550100']);
  expect(stdout).toMatch(/^Regions {2}US-PR$/m);
  const zone = /^America\/Puerto_Rico {2}(\S+) (\S+) (\S+)$/m.exec(stdout);
  expect(Date.parse(`${zone?.[1]}T${zone?.[2]}:59${zone?.[3]}`)).toBeGreaterThanOrEqual(before - 60_000);
  expect(await driver.run(['numbers', 'place', '4235550100'])).toMatchObject({ exitCode: 2 });
});
