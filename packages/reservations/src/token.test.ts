import { expect, test } from 'vitest';
import { formatToken, parseToken } from './token.ts';

test('a token comes back as it was written', () => {
  const token = { generation: 12, walTimeline: '0000000A' };
  expect(formatToken(token)).toBe('12.0000000A');
  expect(parseToken('12.0000000A')).toEqual(token);
});

test.each([
  [{ generation: -1, walTimeline: '00000001' }, 'generation -1'],
  [{ generation: 1.5, walTimeline: '00000001' }, 'generation 1.5'],
  [{ generation: 1, walTimeline: '1' }, 'eight hexadecimal digits'],
  [{ generation: 1, walTimeline: '0000000a' }, 'eight hexadecimal digits'],
])('%j is no token', (token, reason) => {
  expect(() => formatToken(token)).toThrow(reason);
});

test.each(['', '1', '1.', '.00000001', '1.0000000G', ' 1.00000001'])('"%s" is not read as a token', (text) => {
  expect(() => parseToken(text)).toThrow('is no token');
});
