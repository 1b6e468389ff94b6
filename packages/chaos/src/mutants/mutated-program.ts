import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModel } from './bundle-model.ts';
import { applyPatch, ROOT_DIR, type Patch } from './patch.ts';

/** Read at run time, from beside the code that reads them. */
const SCRIPTS_FOLDER = 'packages/reservations/src/lua';

export interface MutatedProgram {
  /** A bundle of `first-broken.ts` with these changes. */
  readonly url: string;
  remove(): Promise<void>;
}

/** The model on the product with these changes of modules and of Redis scripts. */
export async function mutatedProgram(patches: readonly Patch[]): Promise<MutatedProgram> {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-mutant-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  const program = join(dir, 'first-broken.mjs');
  try {
    await symlink(join(ROOT_DIR, 'node_modules'), join(dir, 'node_modules'));
    await cp(join(ROOT_DIR, SCRIPTS_FOLDER), join(dir, SCRIPTS_FOLDER), { recursive: true });
    const isScript = ({ file }: Patch) => file.startsWith(SCRIPTS_FOLDER);
    for (const patch of patches.filter(isScript)) {
      const path = join(dir, patch.file);
      await writeFile(path, applyPatch(await readFile(path, 'utf8'), patch));
    }
    await bundleModel({ program, workspaceDir: dir, patches: patches.filter((patch) => !isScript(patch)) });
    return { url: pathToFileURL(program).href, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
