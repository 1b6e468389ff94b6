import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './mend-wav.ts';

export const PRIVATE_FOLDER_MODE = 0o700;

/**
 * Removes everybody else's access to a folder that may be there already, and to the folders in it. Their files need no
 * change: nobody else can reach them. Rejects if the folders belong to another user.
 */
export async function makePrivate(folder: string): Promise<void> {
  try {
    await chmod(folder, PRIVATE_FOLDER_MODE);
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) {
      if (entry.isDirectory()) await chmod(join(folder, entry.name), PRIVATE_FOLDER_MODE);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
