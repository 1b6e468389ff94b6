import { expect, test } from 'vitest';
import { keep } from './keep.ts';

test('no more is kept than the limit says, and the oldest goes first', () => {
  const map = new Map<string, number>();
  for (const [index, key] of ['a', 'b', 'c'].entries()) expect(keep(map, key, index, 2)).toBe(index);
  expect([...map.keys()]).toEqual(['b', 'c']);
});
