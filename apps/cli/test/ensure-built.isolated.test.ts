import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureBuilt } from '../bootstrap/ensure-built.mjs';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outdial-build-'));
  await mkdir(join(root, 'apps'));
  await write('packages/one/tsconfig.build.json', '{}');
  await write('packages/one/src/main.ts', `import { word } from './word.ts';\nexport const said: string = word;\n`);
  await write('packages/one/src/word.ts', `export const word = 'old';\n`);
  await write('packages/one/src/word.test.ts', `throw new Error('not part of the product');\n`);
  await write('packages/one/src/lua/take.lua', 'return 1\n');
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const output = (path: string) => join(root, 'packages/one/dist', path);
const read = (path: string) => readFile(output(path), 'utf8');
const writtenAt = async (path: string) => (await stat(output(path))).mtimeMs;

it('a package runs from its compiled output, with its scripts and source maps', async () => {
  await ensureBuilt(root);
  const built: unknown = await import(pathToFileURL(output('main.js')).href);
  expect(built).toMatchObject({ said: 'old' });
  expect(await read('lua/take.lua')).toBe('return 1\n');
  expect(await read('main.js')).toContain('//# sourceMappingURL=main.js.map');
  expect(JSON.parse(await read('main.js.map'))).toMatchObject({ sources: ['../src/main.ts'] });
  await expect(read('word.test.js')).rejects.toThrow('ENOENT');
});

it('only changed sources are compiled again, even if a tool has reset their times', async () => {
  await ensureBuilt(root);
  const before = [await writtenAt('main.js'), await writtenAt('word.js')];
  const source = join(root, 'packages/one/src/word.ts');
  const { atime, mtime } = await stat(source);
  await write('packages/one/src/word.ts', `export const word = 'new';\n`);
  await utimes(source, atime, mtime);
  await ensureBuilt(root);
  expect(await read('word.js')).toContain('"new"');
  expect(await writtenAt('main.js')).toBe(before[0]);
  expect(await writtenAt('word.js')).not.toBe(before[1]);
});

it('output that another build has overwritten or removed is restored, and output without a source is removed', async () => {
  await ensureBuilt(root);
  const word = await read('word.js');
  await writeFile(output('word.js'), '// of another compiler\n');
  await rm(output('main.js'));
  await rm(join(root, 'packages/one/src/lua/take.lua'));
  await ensureBuilt(root);
  expect(await read('word.js')).toBe(word);
  expect(await read('main.js')).toContain('./word.js');
  await expect(read('lua/take.lua')).rejects.toThrow('ENOENT');
});

it('a source that does not compile is an error, and is compiled once it is corrected', async () => {
  await ensureBuilt(root);
  await write('packages/one/src/word.ts', `export const word = ;\n`);
  await expect(ensureBuilt(root)).rejects.toThrow('Unexpected ";"');
  expect(await read('word.js')).toContain('"old"');
  await write('packages/one/src/word.ts', `export const word = 'corrected';\n`);
  await ensureBuilt(root);
  expect(await read('word.js')).toContain('"corrected"');
});
