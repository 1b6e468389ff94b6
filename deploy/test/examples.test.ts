import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseObjects } from './helm.ts';
import { faultsOf } from './validate.ts';

const dir = new URL('../examples/', import.meta.url);

test.each((await readdir(dir)).filter((name) => name.endsWith('.yaml')))(
  'every object of examples/%s has the fields of its kind, and no other',
  async (name) => {
    const objects = parseObjects(await readFile(new URL(name, dir), 'utf8'));
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.flatMap(faultsOf)).toEqual([]);
  },
);

test('the example of secrets has the keys that the pods read', async () => {
  const text = await readFile(new URL('external-secret.yaml', dir), 'utf8');
  const keys = [...text.matchAll(/secretKey: (\w+)/g)].map(([, key]) => key);
  expect(keys).toEqual(['OUTDIAL_KEY_PEPPER', 'OUTDIAL_SECRET_KEY', 'DATABASE_URL', 'REDIS_URL']);
});

test('the guide shows settings of PgBouncer that the example has', async () => {
  const guide = await readFile(new URL('../../docs/guides/growing.md', import.meta.url), 'utf8');
  const shown =
    /```ini\n(?<settings>[^`]*)```/
      .exec(guide)
      ?.groups?.['settings']?.split('\n')
      .filter((line) => line !== '') ?? [];
  const example = (await readFile(new URL('pgbouncer.ini', dir), 'utf8')).split('\n');
  expect(shown).toContain('pool_mode = transaction');
  expect(shown.filter((line) => !example.includes(line))).toEqual([]);
});
