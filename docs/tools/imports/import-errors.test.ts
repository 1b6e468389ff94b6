import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FOLDER_ORDERS } from './folder-order.ts';
import { importErrors, type Workspace } from './import-errors.ts';
import { readSourceFiles, readWorkspaces } from './repository.ts';
import { parseSourceFile } from './source-file.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WORKSPACES: readonly Workspace[] = [
  { name: '@outdial/calls', dir: 'packages/calls', dependencies: ['@outdial/kernel', '@outdial/local-stores'] },
  { name: '@outdial/kernel', dir: 'packages/kernel', dependencies: [] },
  { name: '@outdial/queue', dir: 'packages/queue', dependencies: [] },
  { name: '@outdial/testkit', dir: 'packages/testkit', dependencies: [] },
  { name: '@outdial/local-stores', dir: 'packages/local-stores', dependencies: [] },
];
const ORDERS = { 'packages/calls': { folders: ['.', 'ports', 'drive'], joining: ['index.ts', 'end-call.ts'] } };

const faultsOf = (path: string, source: string) =>
  importErrors([parseSourceFile(path, source)], WORKSPACES, ORDERS).map(({ line, message }) => `${line}: ${message}`);

test.each([
  `import { fakeClock } from '@outdial/testkit';`,
  `import type { Builder } from '@outdial/kernel/testing';`,
  `export * from '@outdial/testkit/async';`,
  `export type { Stage } from '../../test/stage.ts';`,
  `type Stage = import('../../test/stage.ts').Stage;`,
  `const load = () => import('../testing/index.ts');`,
  `import './drive.test.ts';`,
])('production code must not import what is for tests: %s', (source) => {
  expect(faultsOf('packages/calls/src/drive/drive.ts', source)).toEqual([
    expect.stringMatching(/^1: production code imports \S+, which is for tests$/),
  ]);
  for (const test of ['drive/drive.test.ts', 'testing/index.ts'])
    expect(faultsOf(`packages/calls/src/${test}`, source)).toEqual([]);
});

test('a production file imports only the dependencies of its package, each by its name', () => {
  const source = `
    import { unreachable } from '@outdial/kernel';
    import type { CallConsumer } from '@outdial/queue';
    import { openStores } from '@outdial/local-stores';
    import { createAcceptCall } from '@outdial/calls';
    import { pause } from '../../kernel/src/clock.ts';
  `;
  expect(faultsOf('packages/calls/src/call.ts', source)).toEqual([
    '3: @outdial/queue is not in the dependencies of packages/calls/package.json',
    '4: packages/calls must not import @outdial/local-stores',
    '5: @outdial/calls is this workspace: import the file by its path',
    '6: ../../kernel/src/clock.ts is in another workspace: import it by its name',
  ]);
});

test('a folder imports from the folders below it, and from none above', () => {
  expect(faultsOf('packages/calls/src/drive/a.ts', `import '../ports/b.ts'; import '../call.ts';`)).toEqual([]);
  expect(faultsOf('packages/calls/src/ports/a.ts', `import type { B } from '../drive/deep/b.ts';`)).toEqual([
    '1: ports imports from drive, which stands above it in docs/tools/imports/folder-order.ts',
  ]);
  expect(faultsOf('packages/calls/src/call.ts', `import '../src/ports/b.ts';`)).toEqual([
    '1: . imports from ports, which stands above it in docs/tools/imports/folder-order.ts',
  ]);
});

test('a file that joins the folders imports from all of them, and only its like import it', () => {
  expect(faultsOf('packages/calls/src/end-call.ts', `import './drive/a.ts'; import './call.ts';`)).toEqual([]);
  expect(faultsOf('packages/calls/src/index.ts', `export * from './end-call.ts';`)).toEqual([]);
  expect(faultsOf('packages/calls/src/drive/a.ts', `import '../end-call.ts';`)).toEqual([
    '1: end-call.ts joins the folders: a file of a folder must not import it',
  ]);
});

test('a new folder needs a place in the order', () => {
  expect(faultsOf('packages/calls/src/billing/a.ts', `import '../call.ts';`)).toEqual([
    '1: the folder billing is not in docs/tools/imports/folder-order.ts',
  ]);
});

test('the repository keeps these rules', () => {
  const files = readSourceFiles(ROOT);
  const workspaces = readWorkspaces(ROOT);
  for (const dir of Object.keys(FOLDER_ORDERS)) expect(workspaces.map((workspace) => workspace.dir)).toContain(dir);
  expect(files.length).toBeGreaterThan(1_000);
  expect(importErrors(files, workspaces)).toEqual([]);
});
