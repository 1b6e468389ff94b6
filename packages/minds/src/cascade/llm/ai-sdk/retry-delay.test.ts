import { expect, test } from 'vitest';
import { retryDelayOf } from './retry-delay.ts';

const withDetails = (...details: readonly unknown[]) => JSON.stringify({ error: { code: 429, details } });

test.each([
  [withDetails({ '@type': 'x', violations: [] }, { '@type': 'y', retryDelay: '34.074824224s' }), '34.074824224'],
  [withDetails({ retryDelay: '1s' }), '1'],
  [withDetails({ retryDelay: '-1s' }), null],
  [withDetails({ retryDelay: 5 }), null],
  [withDetails(), null],
  [withDetails('text'), null],
  ['{"error":{"code":429}}', null],
  ['<html>', null],
  ['', null],
])('the pause in %s is %s', (body, seconds) => {
  expect(retryDelayOf(body)).toBe(seconds);
});
