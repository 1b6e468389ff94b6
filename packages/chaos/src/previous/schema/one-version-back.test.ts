import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testStores } from '@outdial/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, rollingFrom } from '../rolling-from.ts';
import { breachesOf } from './breaches.ts';
import { readSchemaItems, type SchemaItem } from './schema-items.ts';
import { formatSnapshot, parseSnapshot, takeSnapshot } from './snapshot.ts';

const TEXT = readFileSync(join(ROOT, 'deploy', 'rolling-from.schema'), 'utf8');
const COMMIT = '0'.repeat(40);

test('today’s schema has all that the code of deploy/rolling-from uses, and asks nothing more of it', async () => {
  const stores = await testStores();
  onTestFinished(() => stores.close());
  const snapshot = parseSnapshot(TEXT);
  // After another "npm run rolling-from" both are of one commit.
  expect(snapshot.commit).toBe(rollingFrom());
  expect(snapshot.items.size).toBeGreaterThan(100);
  expect(breachesOf(snapshot, await readSchemaItems(stores.databaseUrl))).toEqual([]);
});

test('every change that breaks the previous version is a breach', () => {
  const before = snapshotOf({
    'column calls.kept': 'text',
    'column calls.gone': 'text',
    'column calls.retyped': 'integer',
    'column calls.loosened': 'text',
    'column calls.tightened': 'text, nullable',
    'column calls.without_default': 'integer, default',
    'label status.gone': 'enum',
    'function gone(jsonb)': 'void',
    'function answers(jsonb)': 'integer',
  });
  const today = itemsOf({
    'column calls.kept': 'text',
    'column calls.retyped': 'bigint',
    'column calls.loosened': 'text, nullable',
    'column calls.tightened': 'text',
    'column calls.without_default': 'integer',
    'column calls.demanded': 'text',
    'function gone(jsonb, text)': 'void',
    'function answers(jsonb)': 'bigint',
  });
  expect(breachesOf(before, today)).toEqual([
    'column calls.gone is gone',
    'column calls.retyped was «integer» and is «bigint»',
    'column calls.loosened was «text» and is «text, nullable»',
    'column calls.tightened was «text, nullable» and is «text»',
    'column calls.without_default was «integer, default» and is «integer»',
    'label status.gone is gone',
    'function gone(jsonb) is gone',
    'function answers(jsonb) was «integer» and is «bigint»',
    'column calls.demanded is new, and is neither nullable nor has a default',
  ]);
});

test('what expands the schema is no breach, nor is the end of what the previous version does not name', () => {
  const before = snapshotOf({ 'column calls.kept': 'text', 'column calls.unnamed': 'text' }, ['calls', 'kept']);
  const today = itemsOf({
    'column calls.kept': 'text, default',
    'column calls.new': 'text, nullable',
    'column calls.counted': 'integer, default',
    'column others.demanded': 'text',
    'function new(jsonb)': 'void',
  });
  expect(breachesOf(before, today)).toEqual([]);
});

test('a snapshot is read as it was written', () => {
  expect(formatSnapshot(parseSnapshot(TEXT))).toBe(TEXT);
  expect(() => parseSnapshot('column calls.kept: text\n')).toThrow('names no commit');
  expect(() => parseSnapshot(`# The schema of ${COMMIT}\ntable calls`)).toThrow('not readable: table calls');
});

function itemsOf(definitions: Readonly<Record<string, string>>): ReadonlyMap<string, SchemaItem> {
  return new Map(
    Object.entries(definitions).map(([name, definition]) => {
      const words = name.replace(/\(.*/, '').split(/[ .]/).slice(1);
      return [name, { definition, words }];
    }),
  );
}

/** @param named all, unless given */
function snapshotOf(definitions: Readonly<Record<string, string>>, named?: readonly string[]) {
  const items = itemsOf(definitions);
  return takeSnapshot(COMMIT, items, new Set(named ?? [...items.values()].flatMap(({ words }) => words)));
}
