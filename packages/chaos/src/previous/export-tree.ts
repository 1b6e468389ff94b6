import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findCommit } from './find-commit.ts';
import { runIn } from './run-in.ts';

/** Writes the files of a commit below `folder`. @returns the root of its tree */
export async function exportTree(commit: string, repository: string, folder: string): Promise<string> {
  await findCommit(commit, repository);
  const archive = join(folder, 'tree.tar');
  const root = join(folder, 'tree');
  await mkdir(root);
  await runIn(repository, 'git', ['archive', '--format=tar', `--output=${archive}`, commit]);
  await runIn(root, 'tar', ['-xf', archive]);
  return root;
}
