import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outdial-cycle-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The files with an error, as the linter of `npm run check` reports them. */
function lint(sources: Readonly<Record<string, string>>): readonly string[] {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, name), source);
  const args = ['-c', join(ROOT, '.oxlintrc.json'), '--format', 'json', '.'];
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), args, { cwd: folder, encoding: 'utf8' });
  const report: { diagnostics: { code: string; filename: string }[] } = JSON.parse(stdout);
  return report.diagnostics
    .filter(({ code }) => code === 'import(no-cycle)')
    .map(({ filename }) => filename)
    .toSorted();
}

test('files that import each other fail the check, even if only types travel round', () => {
  expect(
    lint({
      'a.ts': `import type { B } from './b.ts';\nexport type A = B | 'a';\n`,
      'b.ts': `export type { C as B } from './c.ts';\n`,
      'c.ts': `import type { A } from './a.ts';\nexport type C = A | 'c';\n`,
      'd.ts': `import type { A } from './a.ts';\nexport type D = A;\n`,
    }),
  ).toEqual(['a.ts', 'b.ts', 'c.ts']);
});

test('a type cannot be imported in a form that the rule against cycles overlooks', () => {
  writeFileSync(join(folder, 'a.ts'), `export type A = import('./b.ts').B;\n`);
  const args = ['-c', join(ROOT, '.oxlintrc.json'), '.'];
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), args, { cwd: folder, encoding: 'utf8' });
  expect(stdout).toContain('consistent-type-imports');
  expect(status).not.toBe(0);
});
