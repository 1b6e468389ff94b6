import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { runIn } from './run-in.ts';

const entrySchema = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
});
const lockfileSchema = z.object({ packages: z.record(z.string(), entrySchema) });
type Packages = z.infer<typeof lockfileSchema>['packages'];

/** npm's own, of what it has installed. */
const RECORD = 'node_modules/.package-lock.json';

/** `linked`: the packages of `present` are what the lockfile of `tree` asks for. `installed`: npm has installed others. */
export type Provided = 'linked' | 'installed';

/** Gives the exported tree its node_modules. @throws if npm cannot install what differs */
export async function providePackages(tree: string, present: string): Promise<Provided> {
  const wanted = readPackages(join(tree, 'package-lock.json'));
  const installed = readPackages(join(present, RECORD));
  if (!hasAll(installed, wanted)) {
    const args = ['ci', '--ignore-scripts', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    await runIn(tree, 'npm', [...args, '--loglevel=error']);
    return 'installed';
  }
  for (const folder of foldersOf(wanted)) await linkAll(join(tree, folder), join(present, folder));
  await copyFile(join(present, RECORD), join(tree, RECORD));
  return 'linked';
}

function readPackages(path: string): Packages {
  return lockfileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).packages;
}

/** Workspaces are the tree's own. Optional packages are for other platforms, or absent by choice. */
function hasAll(installed: Packages, wanted: Packages): boolean {
  return Object.entries(wanted).every(([path, { version, integrity, link, optional, devOptional }]) => {
    if (!path.includes('node_modules/') || link || optional || devOptional) return true;
    return installed[path]?.version === version && installed[path]?.integrity === integrity;
  });
}

/** The root's node_modules, and those of workspaces. */
function foldersOf(wanted: Packages): ReadonlySet<string> {
  const paths = Object.keys(wanted).filter((path) => path.includes('node_modules/'));
  return new Set(paths.map((path) => path.slice(0, path.indexOf('node_modules/') + 'node_modules'.length)));
}

/** A link for each package, and for each of a scope. Caches stay behind. */
async function linkAll(folder: string, present: string): Promise<void> {
  // A workspace whose packages are all for other platforms.
  if (!existsSync(present)) return;
  await mkdir(folder, { recursive: true });
  for (const { name, isDirectory } of await entriesOf(present)) {
    const [from, to] = [join(present, name), join(folder, name)];
    if (name.startsWith('@') && isDirectory) await linkAll(to, from);
    else if (isDirectory) await symlink(from, to, 'dir');
    else await linkWorkspace(from, to);
  }
}

async function entriesOf(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
}

/** npm links a workspace by a relative path. The tree may lack a workspace of today. */
async function linkWorkspace(from: string, to: string): Promise<void> {
  const target = await readlink(from);
  if (existsSync(join(dirname(to), target))) await symlink(target, to, 'dir');
}
