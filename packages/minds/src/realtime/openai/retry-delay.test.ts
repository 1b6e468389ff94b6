import { expect, test } from 'vitest';
import { retryDelayOf } from './retry-delay.ts';

test.each([
  ['Rate limit reached for gpt-realtime on tokens per min. Please try again in 1.2s.', '1.2'],
  ['Rate limit reached. Please try again in 350ms. Visit the page of limits.', '0.35'],
  ['Please try again in 20 s', '20'],
  ['Please try again in 6m0s.', null],
  ['Please try again later.', null],
  ['', null],
  [null, null],
  [undefined, null],
])('of %j the delay is %j seconds', (message, seconds) => {
  expect(retryDelayOf(message)).toBe(seconds);
});
