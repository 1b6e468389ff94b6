import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One place of a source file that a mutant changes. */
export interface Patch {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly find: string;
  readonly replace: string;
}

export const ROOT_DIR = fileURLToPath(new URL('../../../../', import.meta.url));

/** What the model runs on: the product's packages, their migrations, and the model itself. */
const PACKAGES = [
  'admission',
  'calls',
  'chaos',
  'contracts',
  'kernel',
  'migrations',
  'persistence',
  'reservations',
  'secrets',
];
const LEFT_OUT = /\/(?:dist|node_modules|\.turbo)(?:\/|$)|\.test\.ts$/;

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
    for (const name of PACKAGES) await copyPackage(dir, name);
    await linkModules(dir);
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

async function copyPackage(dir: string, name: string): Promise<void> {
  const from = join(ROOT_DIR, 'packages', name);
  const filter = (path: string) => !LEFT_OUT.test(path.slice(from.length));
  await cp(from, join(dir, 'packages', name), { recursive: true, filter });
}

/** Our own packages are the copies; all others are the installed ones. */
async function linkModules(dir: string): Promise<void> {
  const installed = join(ROOT_DIR, 'node_modules');
  await mkdir(join(dir, 'node_modules', '@outdial'), { recursive: true });
  const names = (await readdir(installed)).filter((name) => name !== '@outdial' && !name.startsWith('.'));
  await Promise.all(names.map((name) => symlink(join(installed, name), join(dir, 'node_modules', name))));
  await Promise.all(
    PACKAGES.map((name) => symlink(join(dir, 'packages', name), join(dir, 'node_modules', '@outdial', name))),
  );
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
}
