import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE_DIR = fileURLToPath(new URL('.', import.meta.url));

/** The folder of a file; null for the files beside `index.ts`, which every folder may use. */
function folderOf(path: string): string | null {
  const [first, ...rest] = relative(SOURCE_DIR, path).split(sep);
  return rest.length === 0 ? null : (first ?? null);
}

/** Which folders the files of each folder import from, type-only imports included. */
function importsByFolder(): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>();
  for (const name of readdirSync(SOURCE_DIR, { recursive: true, encoding: 'utf8' })) {
    const path = join(SOURCE_DIR, name);
    const from = folderOf(path);
    if (from === null || !name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']*)'/g)) {
      const to = folderOf(join(dirname(path), specifier));
      if (to !== null && to !== from) imports.set(from, (imports.get(from) ?? new Set<string>()).add(to));
    }
  }
  return imports;
}

test('no folder imports from itself by way of other folders', () => {
  const imports = importsByFolder();
  const reachableFrom = (folder: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const next of imports.get(folder) ?? []) if (!seen.has(next)) reachableFrom(next, seen.add(next));
    return seen;
  };
  expect([...imports.keys()]).toContain('drive');
  expect([...imports.keys()].filter((folder) => reachableFrom(folder).has(folder))).toEqual([]);
});
