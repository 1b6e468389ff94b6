import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT_DIR = fileURLToPath(new URL('../../../../', import.meta.url));

/** Each project loads this module for itself; the run is one process. */
declare global {
  var outdialServicesBuild: Promise<void> | undefined;
}

/**
 * Once per run of tests that start services: puts every package's JavaScript into its dist/, where `npm run build` puts
 * it too. A service starts from there in half the time that it takes through a TypeScript loader. Types are not checked.
 */
export default function setup(): Promise<void> {
  return (globalThis.outdialServicesBuild ??= buildServices());
}

async function buildServices(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT_DIR,
    entryPoints: Object.fromEntries(['packages', 'apps'].flatMap(sourcesOf)),
    outdir: ROOT_DIR,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // One file out of each: URLs relative to `import.meta.url` stay right.
    bundle: true,
    plugins: [
      {
        name: 'leave-imports',
        setup(services) {
          services.onResolve({ filter: /.*/ }, ({ kind, path }) =>
            kind === 'entry-point' ? null : { path: path.replace(/^(\..*)\.ts$/, '$1.js'), external: true },
          );
        },
      },
    ],
    write: false,
    logLevel: 'error',
  });
  const scripts = ['packages', 'apps'].flatMap(scriptsOf);
  await Promise.all([
    ...outputFiles.map(({ path, text }) => writeChanged(path, text)),
    ...scripts.map(([to, from]) => writeChanged(join(ROOT_DIR, to), readFileSync(join(ROOT_DIR, from), 'utf8'))),
  ]);
}

/** Redis scripts lie beside the code that reads them. @returns pairs of output and source, relative to the root. */
function scriptsOf(workspaces: string): [string, string][] {
  return foldersOf(workspaces).flatMap((folder) =>
    filesBelow(folder, /\.lua$/).map((path): [string, string] => [`${folder}/dist/${path}`, `${folder}/src/${path}`]),
  );
}

/** @returns entries from output, without its suffix, to source; both relative to the root. */
function sourcesOf(workspaces: string): [string, string][] {
  return foldersOf(workspaces).flatMap((folder) =>
    filesBelow(folder, /(?<!\.test|\.d)\.ts$/).map((path): [string, string] => [
      `${folder}/dist/${path.slice(0, -'.ts'.length)}`,
      `${folder}/src/${path}`,
    ]),
  );
}

/** The workspaces that a build compiles, relative to the root. */
function foldersOf(workspaces: string): string[] {
  return readdirSync(join(ROOT_DIR, workspaces))
    .map((name) => `${workspaces}/${name}`)
    .filter((folder) => existsSync(join(ROOT_DIR, folder, 'tsconfig.build.json')));
}

/** @returns paths relative to the folder's src/. */
function filesBelow(folder: string, pattern: RegExp): string[] {
  const paths = readdirSync(join(ROOT_DIR, folder, 'src'), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => pattern.test(path));
}

/** In one step, and only where it differs: another run may be starting services from the same files. */
async function writeChanged(path: string, text: string): Promise<void> {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  await writeFile(part, text);
  await rename(part, path);
}
