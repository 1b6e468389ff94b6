import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listFailures } from '../bootstrap/list-failures.mjs';

const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
const file = (name: string, changes: object) => ({
  name: join(ROOT_DIR, name),
  status: 'failed',
  message: '',
  assertionResults: [],
  ...changes,
});

test('each failed test, and each file that did not load, is listed with its file, name and error', () => {
  const stack = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
  const testResults = [
    file('packages/one/a.test.ts', {
      assertionResults: [
        { status: 'passed', fullName: 'adds', failureMessages: [] },
        { status: 'failed', fullName: 'subtracts', failureMessages: [`\u001B[31mexpected 1\u001B[39m\n${stack}`] },
      ],
    }),
    file('packages/one/b.test.ts', { message: 'Cannot find module' }),
    file('packages/one/c.test.ts', { status: 'passed' }),
  ];
  const lines = listFailures({ testResults }).trim().split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'Failed tests:',
    '- packages/one/a.test.ts > subtracts',
    '    expected 1',
    '    line 0',
  ]);
  expect(lines).toHaveLength(19);
  expect(lines.slice(-3)).toEqual(['    line 13', '- packages/one/b.test.ts > (the file)', '    Cannot find module']);
});

test('a run without failures lists nothing', () => {
  expect(listFailures({ testResults: [file('packages/one/c.test.ts', { status: 'passed' })] })).toBe('');
});
