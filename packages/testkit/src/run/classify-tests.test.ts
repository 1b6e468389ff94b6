import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { classifyTests, type TestKind } from './classify-tests.ts';

const FILES: Readonly<Record<string, string>> = {
  'packages/one/src/pure.test.ts': "import { add } from './add.ts';",
  'packages/one/src/add.ts': "import { spawn } from 'node:child_process';",
  'packages/one/src/asks.test.ts': 'stores = await testStores();',
  'packages/one/src/through-helpers.test.ts': "import { world } from '../test/world.ts';",
  'packages/one/test/world.ts': "import { open } from './open.ts';",
  'packages/one/test/open.ts': 'export const open = () => testStores();',
  'packages/one/src/starts.test.ts': "import { start } from '../test/child.ts';",
  'packages/one/test/child.ts': "import { spawn } from 'node:child_process';",
  'packages/one/src/breaks.test.ts': 'const redis = await privateRedis();',
  'packages/one/src/environment.test.ts': "vi.stubEnv('HOME', dir);",
  'packages/one/src/counts.test.ts': 'expect(vi.getTimerCount()).toBe(0);',
  'packages/one/src/both.test.ts': "import { spawn } from 'node:child_process'; process.env['PATH'] = dir;",
  'packages/one/src/named.isolated.test.ts': '',
  'packages/one/node_modules/other/other.test.ts': '',
  'apps/two/dist/built.test.ts': '',
  'bench/src/report.test.ts': '',
  'docs/tools/table.test.ts': '',
  'deploy/test/chart.test.ts': '',
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outdial-classify-'));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(dir, path, '..'), { recursive: true });
    await writeFile(join(dir, path), text);
  }
});
afterAll(() => rm(dir, { recursive: true }));

const EXPECTED: Readonly<Record<TestKind, readonly string[]>> = {
  unit: [
    'bench/src/report.test.ts',
    'deploy/test/chart.test.ts',
    'docs/tools/table.test.ts',
    'packages/one/src/pure.test.ts',
  ],
  stores: ['packages/one/src/asks.test.ts', 'packages/one/src/through-helpers.test.ts'],
  processes: ['packages/one/src/breaks.test.ts', 'packages/one/src/starts.test.ts'],
  isolated: [
    'packages/one/src/both.test.ts',
    'packages/one/src/counts.test.ts',
    'packages/one/src/environment.test.ts',
    'packages/one/src/named.isolated.test.ts',
  ],
};

test('a test file is classified by what it and its helpers do, not by what the tested code does', () => {
  const { unit, stores, processes, isolated } = classifyTests(dir);
  expect({
    unit: unit.toSorted(),
    stores: stores.toSorted(),
    processes: processes.toSorted(),
    isolated: isolated.toSorted(),
  }).toEqual(EXPECTED);
});
