// Compiles every package's TypeScript into its dist/, as `npm run build` does: a process starts from JavaScript in
// half the time that a TypeScript loader takes. Types are not checked.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootDir } from './ensure-installed.mjs';

/** Maps each source to the stamps of source and output at the last build. Paths are relative to the root. */
export const RECORD_PATH = 'node_modules/.cache/outdial/build.json';
/** Redis scripts lie beside the code, which reads them at run time. */
const SOURCE = /\.lua$|(?<!\.test|\.d)\.ts$/;

/** Compiles what has changed below `root` since the last build. With no changes it only reads file times. */
export async function ensureBuilt(root = rootDir) {
  const stampOf = (path) => stamp(join(root, path));
  const recordPath = join(root, RECORD_PATH);
  const key = buildKey();
  const record = readRecord(recordPath, key);
  const sources = ['packages', 'apps']
    .flatMap((workspaces) => foldersOf(root, workspaces))
    .flatMap((folder) => sourcesOf(root, folder));
  const stamps = new Map(sources.map((source) => [source, stampOf(source)]));
  const isCurrent = (source) => {
    const [from, to] = record[source] ?? [];
    return from !== undefined && from === stamps.get(source) && to === stampOf(outputOf(source));
  };
  const stale = sources.filter((source) => !isCurrent(source));
  const gone = Object.keys(record).filter((source) => !stamps.has(source));
  if (stale.length === 0 && gone.length === 0) return;
  for (const source of gone) rmSync(join(root, outputOf(source)), { force: true });
  const compiled = await compile(
    root,
    stale.filter((source) => source.endsWith('.ts')),
  );
  const copied = stale
    .filter((source) => source.endsWith('.lua'))
    .map((source) => ({ path: join(root, outputOf(source)), text: readFileSync(join(root, source), 'utf8') }));
  for (const { path, text } of [...compiled, ...copied]) writeChanged(path, text);
  // The stamp is taken before the compilation: if the source changes during it, the next build compiles it again.
  const files = Object.fromEntries(sources.map((source) => [source, [stamps.get(source), stampOf(outputOf(source))]]));
  writeChanged(recordPath, JSON.stringify({ key, files }));
}

/** @returns the files to write, dependencies first. */
async function compile(root, sources) {
  if (sources.length === 0) return [];
  // Imported lazily: esbuild starts a process.
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: sources.map((source) => ({ in: source, out: outputOf(source).slice(0, -'.js'.length) })),
    outdir: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // One output per source, so that URLs relative to `import.meta.url` stay valid.
    bundle: true,
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [{ name: 'leave-imports', setup: leaveImports }],
    write: false,
    logLevel: 'error',
  });
  await esbuild.stop();
  // Maps first: another process may be starting from the same files and must find a program's map.
  return outputFiles.toSorted((left, right) => Number(isMap(right)) - Number(isMap(left)));
}

const isMap = ({ path }) => path.endsWith('.map');

function leaveImports(build) {
  build.onResolve({ filter: /.*/ }, ({ kind, path }) =>
    kind === 'entry-point' ? null : { path: path.replace(/^(\..*)\.ts$/, '$1.js'), external: true },
  );
}

/** The workspaces that a build compiles. */
function foldersOf(root, workspaces) {
  return readdirSync(join(root, workspaces))
    .map((name) => `${workspaces}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'tsconfig.build.json')));
}

function sourcesOf(root, folder) {
  const paths = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => SOURCE.test(path)).map((path) => `${folder}/src/${path}`);
}

function outputOf(source) {
  return source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
}

/**
 * Undefined when the file does not exist. Includes the change time (ctime), which moves even when a tool resets the
 * modification time.
 */
function stamp(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

/** What else the outputs depend on: the compiler and its options. */
function buildKey() {
  const compiler = readFileSync(join(rootDir, 'node_modules', 'esbuild', 'package.json'), 'utf8');
  return createHash('sha256')
    .update(compiler)
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
}

function readRecord(path, key) {
  try {
    const { key: builtWith, files } = JSON.parse(readFileSync(path, 'utf8'));
    return builtWith === key ? files : {};
  } catch {
    return {};
  }
}

/** Atomic, and only on a difference: another process may be starting from the same files. */
export function writeChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path)}.${process.pid}`);
  writeFileSync(part, text);
  renameSync(part, path);
}
