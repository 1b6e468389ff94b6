// Bundles each service of the test run into one file, with its compiled code beside it: a service starts from them in a
// fifth of the time that it takes to load two thousand modules. Production runs the unbundled dist/, and so do
// the tests of `npm start`, and `npm run chaos`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt, RECORD_PATH, writeChanged } from './ensure-built.mjs';
import { rootDir } from './ensure-installed.mjs';

const BUNDLES_DIR = join(rootDir, 'node_modules', '.cache', 'outdial', 'services');
/** Each bundle's name and its program. `serviceArgs` of testkit knows the names. */
const SERVICES = {
  api: 'apps/api/dist/main.js',
  worker: 'apps/worker/dist/main.js',
  callee: 'apps/callee/dist/main.js',
  'quick-worker': 'apps/worker/test/quick-worker.mjs',
};
/** What services and tests start as threads. */
const THREADS = {
  thread: 'apps/worker/dist/media-thread/thread.js',
  'model-thread': 'apps/worker/dist/model-thread/model-thread.js',
  'flite-thread': 'packages/agents/dist/speech/flite-thread.js',
};
/** They start the bundled thread. Every other file keeps the URL that it has in dist/. */
const STARTS_THREAD = /\/(?:start-(?:media|flite)|running)-thread\.js$/;
/** Loaded on demand, and large: the compilers of every database that Prisma supports. */
const LEFT_OUT = /query_compiler/;
/** CommonJS packages load Node's own modules by it. */
const REQUIRE =
  "import { createRequire as outdialCreateRequire } from 'node:module'; const require = outdialCreateRequire(import.meta.url);";
/** A script cannot import() by itself: `runBundle` does it. A method may have the same name. */
const IMPORT_CALL = /(?<![.\w$])(?<!async )import\(/g;
const RUN_BUNDLE = new URL('run-bundle.mjs', import.meta.url);

await ensureBuilt();
await ensureBundled();

async function ensureBundled() {
  const recordPath = join(BUNDLES_DIR, 'key');
  const key = bundlesKey();
  if (existsSync(recordPath) && readFileSync(recordPath, 'utf8') === key) return;
  for (const { path, text } of await bundle()) writeChanged(path, text);
  for (const name of Object.keys(SERVICES)) compileService(name);
  writeChanged(recordPath, key);
}

async function bundle() {
  const esbuild = await import('esbuild');
  const options = {
    absWorkingDir: rootDir,
    outdir: BUNDLES_DIR,
    platform: 'node',
    target: 'node20',
    bundle: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Logs and errors show the names of classes.
    keepNames: true,
    plugins: [{ name: 'keep-places', setup: keepPlaces }],
    write: false,
    logLevel: 'error',
  };
  const bundles = await Promise.all([
    // Node keeps compiled code for scripts only.
    esbuild.build({
      ...options,
      entryPoints: SERVICES,
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
    esbuild.build({ ...options, entryPoints: THREADS, format: 'esm', banner: { js: REQUIRE } }),
  ]);
  await esbuild.stop();
  const [services, threads] = bundles.map(({ outputFiles }) => outputFiles);
  return [
    ...services.map(({ path, text }) => ({ path, text: text.replaceAll(IMPORT_CALL, 'outdialImport(') })),
    ...threads,
  ];
}

/** Writes the program that starts the bundle, and the code that V8 compiles while the bundle is loaded. */
function compileService(name) {
  const program = join(BUNDLES_DIR, `${name}.js`);
  const start = `runBundle(new URL('${name}.cjs', import.meta.url));`;
  writeChanged(program, `import { runBundle } from '${RUN_BUNDLE}';\n${start}\n`);
  const run = (task) => {
    const env = { PATH: process.env.PATH, TEST_WORKER_TIMINGS: '{}', OUTDIAL_COMPILED: task };
    return spawnSync(process.execPath, [program], { env, stdio: 'ignore' });
  };
  run('keep');
  // Without this, each start would compile everything again, and nothing would show it.
  if (run('check').status !== 0) throw new Error(`V8 ignores the compiled code of the service ${name}.`);
}

/** Files that look for others beside them find them where they are without bundles. */
function keepPlaces(build) {
  build.onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const place = STARTS_THREAD.test(path) ? join(BUNDLES_DIR, basename(path)) : path;
    const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href));
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

/** What the bundles depend on: Node, the compiled sources, the installed packages, and the bootstrap files. */
function bundlesKey() {
  const hash = createHash('sha256').update(process.version);
  const paths = [RECORD_PATH, 'node_modules/.package-lock.json', SERVICES['quick-worker']];
  const files = [fileURLToPath(import.meta.url), fileURLToPath(RUN_BUNDLE)];
  for (const path of [...paths.map((path) => join(rootDir, path)), ...files]) hash.update(readFileSync(path));
  return hash.digest('hex');
}
