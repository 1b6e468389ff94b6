import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CommandError } from '../exit-code.ts';

/** A file to send, which is read while it is sent. A pipe would be read as an empty file. */
export async function openFile(path: string): Promise<Blob> {
  try {
    if ((await stat(path)).isFile()) return await openAsBlob(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  throw new CommandError(`${path} is not a file. To read a pipe, pass - and send it to standard input.`);
}
