import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCommit, HistoryMissing } from './find-commit.ts';

const NO_COMMIT = '0123456789'.repeat(4);

let folder: string;
let first: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outdial-find-commit-'));
  git('init', '--quiet', at('whole'));
  for (const subject of ['first', 'second']) commit(subject);
  first = git('-C', at('whole'), 'rev-parse', 'HEAD~1');
  git('clone', '--quiet', '--depth=1', `file://${at('whole')}`, at('shallow'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a complete clone has the commit', async () => {
  await expect(findCommit(first, at('whole'))).resolves.toBeUndefined();
});

test('a complete clone without the commit fails, and names the command that corrects it', async () => {
  const error = await findCommit(NO_COMMIT, at('whole')).catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(HistoryMissing);
  expect(String(error)).toContain(`This clone is complete and has no commit ${NO_COMMIT}`);
  expect(String(error)).toContain('npm run rolling-from');
});

test('a shallow clone fetches the commit', async () => {
  await findCommit(first, at('shallow'));
  expect(git('-C', at('shallow'), 'cat-file', '-t', first)).toBe('commit');
});

test('a shallow clone that cannot fetch the commit says how to get the history', async () => {
  const error = await findCommit(NO_COMMIT, at('shallow')).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HistoryMissing);
  expect(String(error)).toContain('run "git fetch --unshallow"');
});

test('outside of a repository the history is missing', async () => {
  await expect(findCommit(NO_COMMIT, folder)).rejects.toThrow(HistoryMissing);
});

function commit(subject: string): void {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  git('-C', at('whole'), ...author, 'commit', '--quiet', '--allow-empty', '--message', subject);
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
