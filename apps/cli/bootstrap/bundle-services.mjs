// Bundles each service of the test run into one file: a service starts from it in a third of the time that it takes
// to load two thousand modules. Production runs the unbundled dist/, and so does `npm run verify`.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt, RECORD_PATH, writeChanged } from './ensure-built.mjs';
import { rootDir } from './ensure-installed.mjs';

const BUNDLES_DIR = join(rootDir, 'node_modules', '.cache', 'outdial', 'services');
/** Each bundle's name and its program. `serviceArgs` of testkit knows the names of the first three. */
const PROGRAMS = {
  api: 'apps/api/dist/main.js',
  worker: 'apps/worker/dist/main.js',
  callee: 'apps/callee/dist/main.js',
  'quick-worker': 'apps/worker/test/quick-worker.mjs',
  thread: 'apps/worker/dist/media-thread/thread.js',
  'flite-thread': 'packages/agents/dist/speech/flite-thread.js',
};
/** They start the bundled thread beside their own bundle. Every other file keeps the URL that it has in dist/. */
const STARTS_THREAD = /\/start-(?:media|flite)-thread\.js$/;
/** Loaded on demand, and large: the compilers of every database that Prisma supports. */
const LEFT_OUT = /query_compiler/;
/** CommonJS packages load Node's own modules by it. */
const REQUIRE =
  "import { createRequire as outdialCreateRequire } from 'node:module'; const require = outdialCreateRequire(import.meta.url);";

await ensureBuilt();
await ensureBundled();

async function ensureBundled() {
  const recordPath = join(BUNDLES_DIR, 'key');
  const key = bundlesKey();
  if (existsSync(recordPath) && readFileSync(recordPath, 'utf8') === key) return;
  for (const { path, text } of await bundle()) writeChanged(path, text);
  writeChanged(recordPath, key);
}

async function bundle() {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: rootDir,
    entryPoints: PROGRAMS,
    outdir: BUNDLES_DIR,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    bundle: true,
    minifyWhitespace: true,
    // Logs and errors show the names of classes.
    keepNames: true,
    banner: { js: REQUIRE },
    plugins: [{ name: 'keep-places', setup: keepPlaces }],
    write: false,
    logLevel: 'error',
  });
  await esbuild.stop();
  return outputFiles;
}

/** Files that look for others beside them find them where they are without bundles. */
function keepPlaces(build) {
  build.onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
    if (STARTS_THREAD.test(path)) return null;
    const text = readFileSync(path, 'utf8');
    const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
    const places = { __dirname: dirname(path), __filename: path };
    const missing = Object.entries(places).filter(
      ([name]) => text.includes(name) && !new RegExp(`(?:var|let|const)\\s+${name}\\b`).test(text),
    );
    if (missing.length === 0) return { contents };
    return {
      contents: `${missing.map(([name, place]) => `var ${name} = ${JSON.stringify(place)};`).join('')}${contents}`,
    };
  });
  build.onResolve({ filter: LEFT_OUT }, async ({ path, kind, importer, resolveDir, pluginData }) => {
    if (pluginData === LEFT_OUT) return null;
    const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: LEFT_OUT });
    return { path: found.path, external: true };
  });
}

/** What the bundles depend on: the compiled sources, the installed packages, and this file. */
function bundlesKey() {
  const hash = createHash('sha256');
  const paths = [RECORD_PATH, 'node_modules/.package-lock.json', PROGRAMS['quick-worker']];
  for (const path of [...paths.map((path) => join(rootDir, path)), fileURLToPath(import.meta.url)])
    hash.update(readFileSync(path));
  return hash.digest('hex');
}
