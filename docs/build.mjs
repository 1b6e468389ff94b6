// Builds the site into dist/ if its sources have changed since the last build. Plain JavaScript: it runs before anything
// else is built.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPage, llmsTexts } from './llms.mjs';

const ownDir = fileURLToPath(new URL('.', import.meta.url));
const distDir = join(ownDir, 'dist');
/** What dist/ was built from. The API does not serve a file whose name begins with a dot. */
const stampPath = join(distDir, '.sources');
/** Files of the folder that the build does not read. */
const NO_SOURCES = /^(?:dist|\.build|node_modules|tools|\.turbo|\.vitepress\/cache)(?:\/|$)/;
/** Files that pages link to and that are no pages. */
const ATTACHMENTS = ['alerts.yml'];
/** The OpenAPI document. `npm run docs:reference` keeps it up to date. */
const DOCUMENT_PATH = join(ownDir, '..', 'packages', 'sdk', 'openapi.json');

const digest = digestOfSources();
if (!existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== digest) await build();

async function build() {
  process.env.NODE_ENV = 'production';
  const { build: buildSite } = await import('vitepress');
  // A service that reads dist/ never finds half a build: the new one is moved there when it is complete.
  const newDir = join(ownDir, '.build', String(process.pid));
  const oldDir = `${newDir}-old`;
  try {
    // Fails on a dead link.
    await buildSite(ownDir, { outDir: newDir });
    for (const name of ATTACHMENTS) copyFileSync(join(ownDir, name), join(newDir, name));
    writeForModels(newDir);
    writeFileSync(join(newDir, '.sources'), digest);
    if (existsSync(distDir)) renameSync(distDir, oldDir);
    renameSync(newDir, distDir);
  } catch (error) {
    // Another process has built the same site and moved it there first.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  } finally {
    for (const dir of [newDir, oldDir]) rmSync(dir, { recursive: true, force: true });
  }
}

/** Every page as Markdown, and the two texts that lead to them. */
function writeForModels(dir) {
  const paths = sources().filter(isPage);
  for (const path of paths) cpSync(join(ownDir, path), join(dir, path));
  const pages = new Map(paths.map((path) => [path, readFileSync(join(ownDir, path), 'utf8')]));
  const texts = llmsTexts(pages, JSON.parse(readFileSync(DOCUMENT_PATH, 'utf8')));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(dir, name), text);
}

function digestOfSources() {
  const hash = createHash('sha256').update(readFileSync(join(ownDir, '..', 'package-lock.json')));
  hash.update(readFileSync(DOCUMENT_PATH));
  for (const path of sources()) hash.update(`${path}\0`).update(readFileSync(join(ownDir, path)));
  return hash.digest('hex');
}

function sources() {
  return readdirSync(ownDir, { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.test(name))
    .flatMap((entry) => (entry.isFile() ? [entry.name] : filesBelow(entry.name)))
    .filter((path) => !NO_SOURCES.test(path))
    .toSorted();
}

function filesBelow(folder) {
  return readdirSync(join(ownDir, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ownDir.length));
}
