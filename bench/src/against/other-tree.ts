import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../processes.ts';

/** Another commit of this repository, ready to run. */
export interface OtherTree {
  readonly root: string;
  readonly commit: string;
  /** Leaves nothing behind. Idempotent. */
  remove(): Promise<void>;
}

/** Below the root, so that packages can be linked: a link does not cross file systems. Git ignores the folder. */
const PARENT = join(ROOT, '.build');
const INSTALL = "import { ensureInstalled } from './apps/cli/bootstrap/ensure-installed.mjs'; ensureInstalled();";

/** Checks the commit out into a temporary worktree, and installs what it needs. Throws if there is no such commit. */
export async function checkOut(revision: string, announce: (text: string) => void): Promise<OtherTree> {
  const commit = git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);
  await mkdir(PARENT, { recursive: true });
  const root = await mkdtemp(join(PARENT, 'against-'));
  const tree = {
    root,
    commit,
    async remove() {
      await rm(root, { recursive: true, force: true });
      git('worktree', 'prune');
    },
  };
  try {
    announce(`Checking out ${commit.slice(0, 8)} …`);
    git('worktree', 'add', '--detach', '--force', root, commit);
    if (hasSamePackages(root)) linkPackages(root);
    run(process.execPath, ['--input-type=module', '--eval', INSTALL], root);
    return tree;
  } catch (error) {
    await tree.remove();
    throw error;
  }
}

function hasSamePackages(root: string): boolean {
  return lockfileOf(root) === lockfileOf(ROOT);
}

const lockfileOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');

/** Hard links take a second instead of a minute. Where they cannot be made, the packages are installed. */
function linkPackages(root: string): void {
  const workspaces = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
  );
  const folders = ['.', 'bench', 'docs', ...workspaces]
    .map((workspace) => join(workspace, 'node_modules'))
    .filter((folder) => existsSync(join(ROOT, folder)) && existsSync(join(root, dirname(folder))));
  for (const folder of folders) spawnSync('cp', ['-al', join(ROOT, folder), join(root, folder)]);
  // What was built from this tree is no part of the other.
  spawnSync('rm', ['-rf', join(root, 'node_modules', '.cache')]);
}

function git(...args: readonly string[]): string {
  return run('git', args, ROOT).trim();
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ''} failed: ${stderr.trim() || stdout.trim()}`);
  return stdout;
}
