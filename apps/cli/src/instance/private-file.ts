import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { CliError, errorCode, errorText } from '../cli-error.ts';

/** A file's text; undefined when the file does not exist. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new CliError(`${path} cannot be read (${errorText(error)}): check its permissions.`, { cause: error });
  }
}

/** Writes a file that only its owner may read. Atomic: a crash leaves the old text or the new. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new CliError(`${path} cannot be written (${errorText(error)}): check the folder's permissions and space.`, {
      cause: error,
    });
  }
}
