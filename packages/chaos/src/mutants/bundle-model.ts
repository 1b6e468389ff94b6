import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { applyPatch, ROOT_DIR, type Patch } from './patch.ts';

export interface ModelBundle {
  /** The file to write. */
  readonly program: string;
  /** Where the modules look for the files that they read at run time. */
  readonly workspaceDir: string;
  readonly patches: readonly Patch[];
}

const ENTRY = 'packages/chaos/src/mutants/first-broken.ts';

/**
 * Writes `first-broken.ts` with all of our modules that it loads, and with these changes, into one file: a process loads it
 * faster than the modules, and without a TypeScript loader.
 *
 * @throws when the model does not load a module that is to change.
 */
export async function bundleModel({ program, workspaceDir, patches }: ModelBundle): Promise<void> {
  const unused = new Set(patches);
  await build({
    absWorkingDir: ROOT_DIR,
    entryPoints: [ENTRY],
    outfile: program,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    bundle: true,
    // Our packages are read from their sources.
    conditions: ['@outdial/source'],
    plugins: [leaveInstalled, patchModules(workspaceDir, unused, patches)],
    logLevel: 'error',
  });
  const [left] = unused;
  if (left) throw new Error(`the model does not load ${left.file}`);
}

/** All packages but ours are loaded from where they are installed: a package may have its own version of another. */
const leaveInstalled: Plugin = {
  name: 'leave-installed',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^./]/ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || path.startsWith('@outdial/') || pluginData === RESOLVING) return null;
      const installed = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING });
      return { ...installed, external: true };
    });
  },
};

/** Marks our own question, which the plugin must leave to esbuild. */
const RESOLVING = Symbol('resolving');

function patchModules(workspaceDir: string, unused: Set<Patch>, patches: readonly Patch[]): Plugin {
  return {
    name: 'patch-modules',
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(ROOT_DIR, path);
        let text = await readFile(path, 'utf8');
        for (const patch of patches.filter((one) => one.file === file)) {
          text = applyPatch(text, patch);
          unused.delete(patch);
        }
        const url = pathToFileURL(join(workspaceDir, file)).href;
        return { contents: text.replaceAll('import.meta.url', JSON.stringify(url)), loader: 'ts' };
      });
    },
  };
}
