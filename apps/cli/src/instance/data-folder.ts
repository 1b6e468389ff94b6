import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError, errorCode, errorText } from '../cli-error.ts';

export const DEFAULT_DATA_DIR = '.data';

/** The files that an instance keeps between starts, beside its stores' data. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly keyPepperPath: string;
  readonly secretKeyPath: string;
  /** The running instance's address; the file exists only while the instance runs. */
  readonly instancePath: string;
  readonly demoPath: string;
}

export function dataFolderAt(dir: string): DataFolder {
  const path = resolve(dir);
  return {
    path,
    keyPepperPath: join(path, 'key-pepper'),
    secretKeyPath: join(path, 'secret-key'),
    instancePath: join(path, 'instance.json'),
    demoPath: join(path, 'demo.json'),
  };
}

/** Creates the folder if it is missing. */
export async function ensureDataFolder(folder: DataFolder): Promise<void> {
  try {
    // Other accounts may traverse the folder but not list it: when root starts the product, Postgres works below it
    // under another account.
    await makeFolder(folder.path);
  } catch (error) {
    throw new CliError(
      `The data folder ${folder.path} cannot be used (${reasonOf(error)}): choose another one with OUTDIAL_DATA_DIR.`,
      { cause: error },
    );
  }
}

/** Creates parent by parent: Node's recursive mkdir never returns in places that reject new folders, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path));
  }
  await mkdir(path, { mode: 0o711 });
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'this account may not write there';
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'a file has that name';
  return errorText(error);
}
