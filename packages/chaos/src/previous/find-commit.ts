import { git } from './git.ts';

/** This clone does not reach back to the commit, through no fault of `deploy/rolling-from`. */
export class HistoryMissing extends Error {}

/**
 * Makes sure that the commit is in the repository at `root`. A shallow clone fetches it.
 *
 * @throws HistoryMissing without a history that reaches back; another error if the whole history lacks the commit
 */
export async function findCommit(commit: string, root: string): Promise<void> {
  const has = async () => (await git(root, ['cat-file', '-e', `${commit}^{commit}`])).isDone;
  const shallow = await git(root, ['rev-parse', '--is-shallow-repository']);
  if (!shallow.isDone) {
    throw new HistoryMissing(
      `The commit ${commit} of deploy/rolling-from cannot be read, because git does not work in ${root} (${shallow.error}): run this in a clone.`,
    );
  }
  if (await has()) return;
  if (shallow.output.trim() !== 'true') {
    throw new Error(
      `This clone is complete and has no commit ${commit}: write the commit of the last release into deploy/rolling-from with "npm run rolling-from -- <commit>".`,
    );
  }
  const fetched = await git(root, ['fetch', '--quiet', '--depth=1', 'origin', commit]);
  if (fetched.isDone && (await has())) return;
  throw new HistoryMissing(
    `This clone is shallow, and the commit ${commit} of deploy/rolling-from could not be fetched (${fetched.error}): run "git fetch --unshallow".`,
  );
}
