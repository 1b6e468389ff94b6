// Builds the dashboard into dist/, if its sources have changed since it was last built: that takes seconds, and to find
// that nothing has changed a few hundredths of one. Plain JavaScript: it runs before anything else is built.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownDir = fileURLToPath(new URL('.', import.meta.url));
const rootDir = join(ownDir, '..', '..');
const distDir = join(ownDir, 'dist');
/** What dist/ was built from. A file with a dot is not served. */
const stampPath = join(distDir, '.sources');
/** Everything that the build reads, from the root; the lockfile stands for the packages. */
const SOURCES = [
  'apps/dashboard/src',
  'apps/dashboard/public',
  'apps/dashboard/index.html',
  'apps/dashboard/package.json',
  'apps/dashboard/vite.config.ts',
  'packages/contracts/src',
  'package-lock.json',
];

const digest = digestOf(SOURCES);
if (builtFrom() !== digest) await build();

async function build() {
  // Whatever it is for whoever asks, a runner of tests or a developer's shell: React would be built slow and talkative.
  process.env.NODE_ENV = 'production';
  const { build: buildWithVite } = await import('vite');
  // Beside dist/, and into its place at the end: a service that reads the files meanwhile never finds half of a build.
  const newDir = join(ownDir, '.build', String(process.pid));
  const oldDir = `${newDir}-old`;
  try {
    await buildWithVite({ root: ownDir, logLevel: 'warn', build: { outDir: newDir, emptyOutDir: true } });
    writeFileSync(join(newDir, '.sources'), digest);
    moveIfThere(distDir, oldDir);
    renameSync(newDir, distDir);
  } catch (error) {
    // Somebody else has built the same meanwhile.
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

/** Tests are no part of what is built. */
function filesBelow(path) {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(rootDir, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(rootDir.length))
    .toSorted();
}
