// Prepares a fresh clone. Plain JavaScript without dependencies, since it runs before they are installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const rootDir = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/**
 * Checks Node's version, installs the lockfile's packages if needed, and generates the database client. Does nothing
 * when all of that is current. On failure it prints one sentence and ends the process.
 */
export function ensureInstalled() {
  checkNodeVersion();
  if (!isInstalled()) install();
  run(process.execPath, [join(rootDir, 'packages', 'persistence', 'generate.mjs')]);
}

/** The same range as package.json's `engines`. */
function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (isSupported) return;
  fail(
    `Outdial needs Node 20.19 or later, 22.12 or later, or 24 and up; this is ${process.versions.node}: install a supported version from https://nodejs.org.`,
  );
}

/**
 * Compares the lockfile with npm's record of node_modules, package by package. npm writes the record last, so an
 * interrupted installation does not pass.
 */
function isInstalled() {
  const wanted = readPackages(join(rootDir, 'package-lock.json'));
  const present = readPackages(join(rootDir, 'node_modules', '.package-lock.json'));
  if (!wanted) fail(`package-lock.json is missing or damaged in ${rootDir}: clone the repository again.`);
  if (!present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // Skips the root and the workspaces, which npm links, and optional packages for other platforms.
    if (!path.startsWith('node_modules/') || entry.optional || entry.devOptional) return true;
    if (entry.link) return existsSync(join(rootDir, path));
    return present[path]?.version === entry.version && present[path]?.integrity === entry.integrity;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  const startedAtMs = performance.now();
  process.stdout.write('Installing dependencies, which takes a minute or two the first time …\n');
  // Install scripts are not needed, and later versions of npm do not run them. Development dependencies are needed,
  // because the product is compiled here before it runs.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'];
  // Under `npm start` this is the running npm; it need not be on PATH.
  const npmCli = process.env.npm_execpath;
  const [command, ...prefix] = npmCli?.endsWith('.js') ? [process.execPath, npmCli] : ['npm'];
  run(command, [...prefix, ...args]);
  process.stdout.write(`Installed in ${Math.round((performance.now() - startedAtMs) / 1000)} s.\n`);
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: rootDir, stdio: 'inherit' });
  if (result.status === 0) return;
  if (result.error) fail(`${command} cannot be run (${result.error.message}): install it, or put it on PATH.`);
  fail(`\`${[command, ...args].join(' ')}\` failed: fix the error above, then try again.`);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
