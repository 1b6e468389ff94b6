import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadLua } from './load-lua.ts';

const folder = (files: Readonly<Record<string, string>>) => (path: string) => {
  const text = files[path];
  if (text === undefined) throw new Error(`no ${path}`);
  return text;
};

test('an include is expanded in its place, once per script', () => {
  const read = folder({
    'verb-0.lua': '--- @include "a"\n--- @include "b"\n--- @include "a"\nreturn a + b',
    'includes/a.lua': 'local a = 1',
    'includes/b.lua': '--- @include "a"\nlocal b = a',
  });
  expect(loadLua('verb-0.lua', read)).toBe('local a = 1\n\nlocal b = a\n\nreturn a + b');
});

test('files that include each other are expanded without an endless loop', () => {
  const read = folder({
    'verb-0.lua': '--- @include "a"',
    'includes/a.lua': '--- @include "b"\nlocal a = 1',
    'includes/b.lua': '--- @include "a"\nlocal b = 2',
  });
  expect(loadLua('verb-0.lua', read)).toBe('\nlocal b = 2\nlocal a = 1');
});

test('a missing file is an error at startup', () => {
  expect(() => loadLua('verb-0.lua', folder({ 'verb-0.lua': '--- @include "gone"' }))).toThrow('no includes/gone.lua');
});

const scripts = readdirSync(new URL('../lua/', import.meta.url)).filter((name) => name.endsWith('.lua'));

const numbersOf = (text: string, table: 'KEYS' | 'ARGV') =>
  [...text.matchAll(new RegExp(`${table}\\[(\\d+)`, 'g'))].map((match) => Number(match[1]));

test.each(scripts)('%s declares every key and argument that it uses, and as many keys as its name says', (name) => {
  const source = readFileSync(new URL(`../lua/${name}`, import.meta.url), 'utf8');
  const end = source.indexOf(']]\n');
  const [header, body] = [source.slice(0, end), source.slice(end)];
  expect(header).toContain('Output');
  expect(numbersOf(header, 'KEYS')).toEqual(
    Array.from({ length: Number(/-(\d+)\.lua$/.exec(name)?.[1]) }, (_, i) => i + 1),
  );
  expect(new Set(numbersOf(body, 'KEYS'))).toEqual(new Set(numbersOf(header, 'KEYS')));
  const named = new Set(numbersOf(header, 'ARGV'));
  expect(numbersOf(body, 'ARGV').filter((index) => !named.has(index))).toEqual([]);
});
