import { testStores, type TestStores } from '@outdial/testkit';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionMigration, MigrationRefused } from './function-migration.ts';
import { nextMigration } from './next-migration.ts';
import { sqlDrift } from './sql-drift.ts';
import { parseSource, readSqlSources, type SqlSource } from './sql-sources.ts';

let stores: TestStores;
let client: Client;
beforeAll(async () => {
  stores = await testStores();
  client = new Client({ connectionString: stores.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await stores.close();
});

const SOURCES = readSqlSources();

/** The sources, with one of them changed. */
function changed(name: string, from: string, to: string): readonly SqlSource[] {
  const sources = SOURCES.map((source) =>
    source.name === name ? { ...source, text: source.text.replace(from, to) } : source,
  );
  expect(sources).not.toEqual(SOURCES);
  return sources;
}

const added = (path: string, text: string) => [...SOURCES, parseSource(path, text)];

test('every function, view and trigger of the migrated schema is the one in its source file', async () => {
  expect(SOURCES.map(({ name }) => name)).toContain('accept_calls');
  expect(await sqlDrift(client, SOURCES)).toEqual([]);
});

test.each([
  ['a word in the body of a function', 'begin_attempts', 'ORDER BY c.id FOR', 'ORDER BY c.id DESC FOR'],
  ['a setting of a function', 'accept_calls', "'500ms'", "'600ms'"],
  ['a condition of a view', 'ended_call_facts', "= 'ended'", "<> 'queued'"],
  ['the event of a trigger', 'calls_ended', 'AFTER UPDATE OF status', 'AFTER UPDATE'],
])('a difference is found: %s', async (_, name, from, to) => {
  const differences = await sqlDrift(client, changed(name, from, to));
  expect(differences).toEqual([{ key: expect.stringContaining(` ${name}`), kind: 'changed' }]);
});

test('a function without a source and a source without a function are found', async () => {
  const [first, ...others] = SOURCES.filter(({ name }) => name !== 'recount_calls');
  expect(await sqlDrift(client, first ? [first, ...others] : [])).toEqual([
    { key: 'function recount_calls()', kind: 'without_source' },
  ]);
  const more = added('read/one.sql', 'CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\n');
  expect(await sqlDrift(client, more)).toEqual([{ key: 'function one()', kind: 'not_migrated' }]);
  expect(await sqlDrift(client, SOURCES)).toEqual([]);
});

test('a migration has the changed sources only, verbatim, and leaves no difference', async () => {
  const own = await testStores();
  const other = new Client({ connectionString: own.databaseUrl });
  await other.connect();
  const sources = changed('calls_ended', 'AFTER UPDATE OF status', 'AFTER UPDATE').map((source) =>
    source.name === 'void_reservation' ? { ...source, text: source.text.replace('500ms', '400ms') } : source,
  );
  const migration = await functionMigration(other, sources);
  expect(migration?.names).toEqual(['void_reservation', 'calls_ended']);
  expect(migration?.script).toBe(
    sources
      .filter(({ name }) => migration?.names.includes(name))
      .map(({ text }) => text)
      .join('\n'),
  );
  await other.query(migration?.script ?? '');
  expect(await functionMigration(other, sources)).toBeNull();
  await other.end();
  await own.close();
});

test.each([
  [
    'other arguments',
    changed('epoch_ms', 'epoch_ms(moment timestamptz)', 'epoch_ms(moment timestamp)'),
    'another name',
  ],
  ['another result', changed('enlarge_holds', 'outcome text)', 'outcome text, micros bigint)'), 'needs a new name'],
  ['no source', SOURCES.filter(({ name }) => name !== 'void_reservation'), 'restore the file'],
])('no migration takes a function from the version before: %s', async (_, sources, advice) => {
  const attempt = functionMigration(client, sources);
  await expect(attempt).rejects.toThrow(MigrationRefused);
  await expect(attempt).rejects.toThrow(advice);
});

test('a source file is named after the one object that it replaces', () => {
  expect(() => parseSource('read/one.sql', 'CREATE FUNCTION one() …')).toThrow('CREATE OR REPLACE');
  expect(() => parseSource('read/uno.sql', '-- One.\nCREATE OR REPLACE FUNCTION one() …')).toThrow(
    'name the file one.sql',
  );
});

test('a new migration sorts after every existing one', () => {
  const now = new Date('2026-11-22T21:05:09.500Z');
  expect(nextMigration('faster', ['20261101000000_init', 'migration_lock.toml'], now)).toBe('20261122210509_faster');
  expect(nextMigration('faster', ['20261101000000_init', '20261207000000_x'], now)).toBe('20261207000001_faster');
  expect(() => nextMigration('Faster!', [], now)).toThrow('"Faster!" cannot name a migration');
});
