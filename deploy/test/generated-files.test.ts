import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { generatedFiles } from '../tools/generated-files.ts';

const files = await generatedFiles();
const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

test.each([...files.keys()])('%s is what `npm run write -w deploy` makes of the code', async (path) => {
  expect(await read(path)).toBe(files.get(path));
});

test('no package of these tests is a part of the production image', async () => {
  const { devDependencies } = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await read('package.json')));
  const lockfile = z
    .object({ packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(await read('../package-lock.json')));
  const packages = Object.keys(devDependencies).filter((name) => /kubernetes|kubectl|lezer|fflate/.test(name));
  expect(packages.length).toBeGreaterThan(8);
  for (const name of packages) expect(lockfile.packages[`node_modules/${name}`]).toMatchObject({ dev: true });
});
