import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

import { errorCode } from './setup-error.ts';

/** Generates a password and writes it to a file that only its owner may read. 192 bits, URL-safe. */
export async function createSecret(path: string): Promise<string> {
  const secret = randomBytes(24).toString('base64url');
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}

export async function readSecret(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    return secret === '' ? undefined : secret;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
