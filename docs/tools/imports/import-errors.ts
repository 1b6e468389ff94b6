import { posix } from 'node:path';
import { FOLDER_ORDERS, type FolderOrder } from './folder-order.ts';
import type { SourceFile } from './source-file.ts';

/** An npm workspace, as its package.json describes it. */
export interface Workspace {
  readonly name: string;
  /** From the folder of the repository, such as `packages/calls`. */
  readonly dir: string;
  readonly dependencies: readonly string[];
}

export interface ImportError {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** They exist for tests, benchmarks and the docs: no part of a running product. */
const NOT_PRODUCTION = ['packages/testkit', 'packages/e2e', 'packages/chaos', 'bench', 'docs'];
/**
 * Workspaces that only some may import. turbo's boundaries must allow them more widely: turbo does not distinguish
 * development dependencies, and the testkit needs both.
 */
const ONLY_FROM: Readonly<Record<string, readonly string[]>> = {
  '@outdial/local-stores': ['apps/cli'],
  '@outdial/migrations': ['apps/cli'],
};
/** What a package exports for tests, benchmarks and fault runs. */
const TEST_ENTRY = /\/(?:testing|seeding)$/;
const TEST_FILE = /\.test\.tsx?$|\/(?:test|testing)\//;

/** Every import that a production file must not have. `files` may contain tests, which are not judged. */
export function importErrors(
  files: readonly SourceFile[],
  workspaces: readonly Workspace[],
  orders: Readonly<Record<string, FolderOrder>> = FOLDER_ORDERS,
): readonly ImportError[] {
  return files.flatMap(({ path, imports }) => {
    const workspace = workspaces.find(({ dir }) => path.startsWith(`${dir}/`));
    if (!workspace || NOT_PRODUCTION.includes(workspace.dir) || TEST_FILE.test(path)) return [];
    const order = orders[workspace.dir];
    return imports.flatMap(({ specifier, line }) => {
      const message = specifier.startsWith('.')
        ? relativeError(path, specifier, workspace, order)
        : workspaceError(specifier, workspace, workspaces);
      return message === null ? [] : [{ file: path, line, message }];
    });
  });
}

function relativeError(path: string, specifier: string, { dir }: Workspace, order?: FolderOrder): string | null {
  const target = posix.join(posix.dirname(path), specifier);
  if (TEST_FILE.test(target)) return `production code imports ${specifier}, which is for tests`;
  if (!target.startsWith(`${dir}/`)) return `${specifier} is in another workspace: import it by its name`;
  const src = `${dir}/src`;
  if (!order || !path.startsWith(`${src}/`) || !target.startsWith(`${src}/`)) return null;
  const [from, to] = [path, target].map((file) => posix.relative(src, file));
  return from === undefined || to === undefined ? null : orderError(from, to, order);
}

/** `from` and `to` are paths below `src`. */
function orderError(from: string, to: string, { folders, joining = [] }: FolderOrder): string | null {
  if (joining.includes(from)) return null;
  if (joining.includes(to)) return `${to} joins the folders: a file of a folder must not import it`;
  const [lower, upper] = [folderOf(to), folderOf(from)];
  for (const folder of [upper, lower])
    if (!folders.includes(folder)) return `the folder ${folder} is not in docs/tools/imports/folder-order.ts`;
  if (folders.indexOf(lower) <= folders.indexOf(upper)) return null;
  return `${upper} imports from ${lower}, which stands above it in docs/tools/imports/folder-order.ts`;
}

function workspaceError(specifier: string, importing: Workspace, workspaces: readonly Workspace[]): string | null {
  const imported = workspaces.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (!imported) return null;
  if (imported === importing) return `${specifier} is this workspace: import the file by its path`;
  if (NOT_PRODUCTION.includes(imported.dir) || TEST_ENTRY.test(specifier))
    return `production code imports ${specifier}, which is for tests`;
  if (!(ONLY_FROM[imported.name] ?? [importing.dir]).includes(importing.dir))
    return `${importing.dir} must not import ${imported.name}`;
  return importing.dependencies.includes(imported.name)
    ? null
    : `${imported.name} is not in the dependencies of ${importing.dir}/package.json`;
}

function folderOf(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}
