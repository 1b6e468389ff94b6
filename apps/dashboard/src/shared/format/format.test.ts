import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  formatMoney,
  formatPhoneNumber,
  formatRoundedMoney,
  formatSignedMoney,
  formatSpan,
} from './numbers.ts';
import { formatRelative } from './times.ts';

describe('an amount', () => {
  it.each([
    [0, 'USD', '$0.00'],
    [-0, 'USD', '$0.00'],
    [25, 'USD', '$25.00'],
    [0.012, 'USD', '$0.012'],
    [1_234.5, 'EUR', '€1,234.50'],
    [0.000001, 'USD', '$0.000001'],
  ])('of %d %s is shown as %s', (amount, currency, shown) => {
    expect(formatMoney(amount, currency)).toBe(shown);
  });

  it('in a narrow tile has at most four decimals, and from one unit on two', () => {
    const amounts = [0, 0.080622, 0.012, 123.080622, -1.239];
    const shown = ['$0.00', '$0.0806', '$0.012', '$123.08', '-$1.24'];
    expect(amounts.map((amount) => formatRoundedMoney(amount, 'USD'))).toEqual(shown);
  });

  it('of a ledger entry carries its sign, and zero carries none', () => {
    expect([25, -0.012, 0].map((amount) => formatSignedMoney(amount, 'USD'))).toEqual(['+$25.00', '−$0.012', '$0.00']);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0:00'],
    [-3, '0:00'],
    [59.9, '0:59'],
    [187, '3:07'],
    [3_787, '1:03:07'],
  ])('of %d seconds ticks as %s', (seconds, shown) => {
    expect(formatDuration(seconds)).toBe(shown);
  });

  it.each([
    [45, '45 s'],
    [59.6, '1 min'],
    [187, '3 min 7 s'],
    [7_500, '2 h 5 min'],
    [7_200, '2 h'],
  ])('of %d seconds is written as %s', (seconds, shown) => {
    expect(formatSpan(seconds)).toBe(shown);
  });
});

describe('a telephone number', () => {
  it.each([
    ['+12025550143', '+1 202 555 0143'],
    ['+442079460123', '+44 207 946 0123'],
    ['+4930123456', '+49 301 234 56'],
  ])('%s is grouped as %s', (number, shown) => {
    expect(formatPhoneNumber(number)).toBe(shown);
  });

  it('keeps its digits', () => {
    expect(formatPhoneNumber('+33123456789').replaceAll(' ', '')).toBe('+33123456789');
  });
});

describe('a time', () => {
  const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  it.each([
    ['2026-11-20T11:59:30.000Z', 'just now'],
    ['2026-11-20T12:00:20.000Z', 'in a moment'],
    ['2026-11-20T11:57:01.000Z', '2 minutes ago'],
    ['2026-11-19T11:00:00.000Z', 'yesterday'],
    ['2026-11-23T13:00:00.000Z', 'in 3 days'],
  ])('%s is %s', (iso, shown) => {
    expect(formatRelative(iso, nowMs)).toBe(shown);
  });
});
