import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './repair-wav.ts';

export const PRIVATE_FOLDER_MODE = 0o700;

/**
 * Removes other users' access to a folder, if it exists, and to its subfolders. The files need no change, because they
 * become unreachable. Rejects if a folder belongs to another user.
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
