import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeTableText } from './make-table.ts';

const committed = readFileSync(new URL('../src/generated/places.ts', import.meta.url), 'utf8');

test('the committed table is what `make-places` writes', () => {
  expect(committed).toBe(makeTableText());
});

test('the table is small enough for a browser', () => {
  expect(Buffer.byteLength(committed)).toBeLessThan(60_000);
});
