// Compiles the TypeScript of every package into its dist/, where `npm run build` puts it too: a process starts from there
// in half the time that it takes through a TypeScript loader. Types are not checked.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootDir } from './ensure-installed.mjs';

/** From source to the stamps of source and output, as the last build left them. Paths are relative to the root. */
const RECORD_PATH = 'node_modules/.cache/outdial/build.json';
/** Beside the code lie Redis scripts, which the code reads at run time. */
const SOURCE = /\.lua$|(?<!\.test|\.d)\.ts$/;

/** Compiles what has changed below `root` since the last build. When nothing has, it only looks at the files' times. */
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
  // A source that changes while it is compiled has another stamp than the one taken before: the next build sees it.
  const files = Object.fromEntries(sources.map((source) => [source, [stamps.get(source), stampOf(outputOf(source))]]));
  writeChanged(recordPath, JSON.stringify({ key, files }));
}

/** @returns the files to write, in an order in which each can be used once it is there. */
async function compile(root, sources) {
  if (sources.length === 0) return [];
  // Loaded here alone: it starts a process of its own.
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: sources.map((source) => ({ in: source, out: outputOf(source).slice(0, -'.js'.length) })),
    outdir: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // One file out of each: URLs relative to `import.meta.url` stay right.
    bundle: true,
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [{ name: 'leave-imports', setup: leaveImports }],
    write: false,
    logLevel: 'error',
  });
  await esbuild.stop();
  // A program may be starting from the same files: its map is there before it is.
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

/** Undefined where there is no such file. The time of change moves even where a tool sets the other one back. */
function stamp(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

/** What else the outputs depend on: the compiler, and how it is called. */
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

/** In one step, and only where it differs: another process may be starting from the same files. */
function writeChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path)}.${process.pid}`);
  writeFileSync(part, text);
  renameSync(part, path);
}
