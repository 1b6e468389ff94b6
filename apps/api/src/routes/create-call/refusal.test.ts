import { expect, it } from 'vitest';
import { statusOf } from '../../http/error-response.ts';
import { refusalOf } from './refusal.ts';

it('429 too_many_scheduled states the limit, and asks to come back in a minute', () => {
  const { code, details, headers } = refusalOf({ kind: 'too_many_scheduled', limit: 100_000 });
  expect([statusOf(code), code, details]).toEqual([429, 'too_many_scheduled', { limit: 100_000 }]);
  expect(headers).toEqual({ 'Retry-After': '60' });
});
