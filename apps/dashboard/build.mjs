// Builds the dashboard into dist/ if its sources have changed since the last build. A build takes seconds; finding that
// nothing changed takes milliseconds. Plain JavaScript, because it runs before anything is built.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownDir = fileURLToPath(new URL('.', import.meta.url));
const rootDir = join(ownDir, '..', '..');
const distDir = join(ownDir, 'dist');
/** The digest of the sources that dist/ was built from. The API does not serve dotfiles. */
const stampPath = join(distDir, '.sources');
/** Everything the build reads, relative to the root. The lockfile represents the packages. */
const SOURCES = [
  'apps/dashboard/src',
  'apps/dashboard/public',
  'apps/dashboard/index.html',
  'apps/dashboard/package.json',
  'apps/dashboard/vite.config.ts',
  'apps/dashboard/vite-plugins',
  'packages/contact-files/src',
  'packages/contracts/src',
  'packages/numbering/src',
  'packages/policies/src',
  'package-lock.json',
];

const digest = digestOf(SOURCES);
if (builtFrom() !== digest) await build();

async function build() {
  // Overrides the caller's value, such as a test runner's: it would select React's slow development build.
  process.env.NODE_ENV = 'production';
  const { build: buildWithVite } = await import('vite');
  // Builds beside dist/ and swaps it in at the end, so that a running API never serves half a build.
  const newDir = join(ownDir, '.build', String(process.pid));
  const oldDir = `${newDir}-old`;
  try {
    await buildWithVite({ root: ownDir, logLevel: 'warn', build: { outDir: newDir, emptyOutDir: true } });
    writeFileSync(join(newDir, '.sources'), digest);
    moveIfThere(distDir, oldDir);
    renameSync(newDir, distDir);
  } catch (error) {
    // A concurrent build has already put its result in place.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  } finally {
    for (const dir of [newDir, oldDir]) rmSync(dir, { recursive: true, force: true });
  }
}

function moveIfThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function builtFrom() {
  try {
    return readFileSync(stampPath, 'utf8');
  } catch {
    return undefined;
  }
}

function digestOf(sources) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(filesBelow)) hash.update(`${path}\0`).update(readFileSync(join(rootDir, path)));
  return hash.digest('hex');
}

/** The files below a path, without tests. */
function filesBelow(path) {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(rootDir, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(rootDir.length))
    .toSorted();
}
