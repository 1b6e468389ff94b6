import { access, constants, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { testFolder } from '../testing/test-folder.ts';
import { prepareBinaries } from './embedded.ts';

test('an installation without install scripts gets its library links and executable programs', async () => {
  const packageDir = await testFolder();
  await makePackage(packageDir);
  const binDir = await prepareBinaries(packageDir);
  for (const link of ['libpq.so', 'libpq.so.5']) {
    expect(await readFile(join(packageDir, 'native/lib', link), 'utf8')).toBe('the library');
  }
  for (const program of ['postgres', 'initdb']) await access(join(binDir, program), constants.X_OK);
});

test('existing links are left unchanged', async () => {
  const packageDir = await testFolder();
  await makePackage(packageDir);
  await writeFile(join(packageDir, 'native/lib/libpq.so'), 'another');
  await prepareBinaries(packageDir);
  expect(await readFile(join(packageDir, 'native/lib/libpq.so'), 'utf8')).toBe('another');
});

async function makePackage(packageDir: string): Promise<void> {
  const native = join(packageDir, 'native');
  for (const dir of ['bin', 'lib']) await mkdir(join(native, dir), { recursive: true });
  for (const program of ['postgres', 'initdb']) await writeFile(join(native, 'bin', program), '', { mode: 0o644 });
  await writeFile(join(native, 'lib/libpq.so.5.18'), 'the library');
  const source = 'native/lib/libpq.so.5.18';
  const links = ['native/lib/libpq.so', 'native/lib/libpq.so.5'].map((target) => ({ source, target }));
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
}
