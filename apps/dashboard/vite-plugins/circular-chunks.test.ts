import { expect, test } from 'vitest';
import { findCircle } from './circular-chunks.ts';

test('chunks that import each other over a third are found', () => {
  const imports = new Map([
    ['page.js', ['week.js']],
    ['week.js', ['table.js']],
    ['table.js', ['hours.js']],
    ['hours.js', ['week.js']],
  ]);
  expect(findCircle(imports)).toEqual(['week.js', 'table.js', 'hours.js', 'week.js']);
});

test('chunks that share imports without a circle pass', () => {
  const imports = new Map([
    ['page.js', ['week.js', 'table.js', 'unknown.js']],
    ['week.js', ['base.js']],
    ['table.js', ['week.js', 'base.js']],
    ['base.js', []],
  ]);
  expect(findCircle(imports)).toBeNull();
});
