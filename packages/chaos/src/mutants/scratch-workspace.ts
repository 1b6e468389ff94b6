import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** One place of a source file that a mutant changes. */
export interface Patch {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly find: string;
  readonly replace: string;
}

export const ROOT_DIR = fileURLToPath(new URL('../../../../', import.meta.url));

const LEFT_OUT = /\/(?:dist|node_modules|\.turbo)(?:\/|$)|\.test\.ts$/;
const PREFIX = '@outdial/';

const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

export interface ScratchWorkspace {
  readonly dir: string;
  remove(): Promise<void>;
}

/** @throws unless the text occurs exactly once: otherwise the product has changed, and the mutant must change too. */
export function applyPatch(text: string, { file, find, replace }: Patch): string {
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places instead of one that read:\n${find}`);
  return text.replace(find, () => replace);
}

/**
 * A copy of the sources with these changes. Everything is loaded from there as from the repository itself: scripts by
 * their loader, migrations by the migration engine, modules by their names.
 */
export async function scratchWorkspace(patches: readonly Patch[]): Promise<ScratchWorkspace> {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-mutant-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  try {
    await cp(join(ROOT_DIR, 'prisma'), join(dir, 'prisma'), { recursive: true });
    const packages = await packagesOf('chaos');
    for (const name of packages) await copyPackage(dir, name);
    await linkModules(dir, packages);
    for (const patch of patches) {
      const path = join(dir, patch.file);
      await writeFile(path, applyPatch(await readFile(path, 'utf8'), patch));
    }
    return { dir, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A package with all that it loads: what the model runs on. */
async function packagesOf(name: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  found.add(name);
  const text = await readFile(join(ROOT_DIR, 'packages', name, 'package.json'), 'utf8');
  for (const dependency of Object.keys(manifestSchema.parse(JSON.parse(text)).dependencies)) {
    const own = dependency.startsWith(PREFIX) ? dependency.slice(PREFIX.length) : null;
    if (own !== null && !found.has(own)) await packagesOf(own, found);
  }
  return found;
}

async function copyPackage(dir: string, name: string): Promise<void> {
  const from = join(ROOT_DIR, 'packages', name);
  const filter = (path: string) => !LEFT_OUT.test(path.slice(from.length));
  await cp(from, join(dir, 'packages', name), { recursive: true, filter });
}

/** Our own packages are the copies; all others are the installed ones. */
async function linkModules(dir: string, packages: ReadonlySet<string>): Promise<void> {
  const installed = join(ROOT_DIR, 'node_modules');
  await mkdir(join(dir, 'node_modules', '@outdial'), { recursive: true });
  const names = (await readdir(installed)).filter((name) => name !== '@outdial' && !name.startsWith('.'));
  await Promise.all(names.map((name) => symlink(join(installed, name), join(dir, 'node_modules', name))));
  await Promise.all(
    [...packages].map((name) => symlink(join(dir, 'packages', name), join(dir, 'node_modules', '@outdial', name))),
  );
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
}
