import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleModel } from './bundle-model.ts';
import { applyPatch, ROOT_DIR, type Patch } from './patch.ts';

/** Read at run time, from beside the code that reads them. */
const DATA_FOLDERS = ['prisma', 'packages/reservations/src/lua'];
const IS_MODULE = /\.ts$/;

export interface ScratchWorkspace {
  /** The program `first-broken.ts`, with these changes. */
  readonly program: string;
  /** Whether a migration is changed, so that the database must be migrated from this workspace. */
  readonly hasOwnSchema: boolean;
  remove(): Promise<void>;
}

/** The model on the product with these changes: its modules in one bundle, its scripts and migrations as copies. */
export async function scratchWorkspace(patches: readonly Patch[]): Promise<ScratchWorkspace> {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-mutant-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  const program = join(dir, 'first-broken.mjs');
  try {
    await symlink(join(ROOT_DIR, 'node_modules'), join(dir, 'node_modules'));
    for (const folder of DATA_FOLDERS) await cp(join(ROOT_DIR, folder), join(dir, folder), { recursive: true });
    for (const patch of patches.filter(({ file }) => !IS_MODULE.test(file))) {
      const path = join(dir, patch.file);
      await writeFile(path, applyPatch(await readFile(path, 'utf8'), patch));
    }
    const inModules = patches.filter(({ file }) => IS_MODULE.test(file));
    await bundleModel({ program, workspaceDir: dir, patches: inModules });
    return { program, hasOwnSchema: patches.some(({ file }) => file.startsWith('prisma/')), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
