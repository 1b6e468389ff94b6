import { randomBytes } from 'node:crypto';
import { parseKeyPepper, type KeyPepper } from '@outdial/calls';
import { CliError } from '../cli-error.ts';
import type { DataFolder } from './data-folder.ts';
import { assertMayBeMade, type NewSecretRule } from './lost-secret.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const PEPPER_BYTES = 32;

/** The pepper of the environment, else the one in the data folder; undefined where neither is. */
export async function findKeyPepper(folder: DataFolder, env: NodeJS.ProcessEnv): Promise<KeyPepper | undefined> {
  const given = env['OUTDIAL_KEY_PEPPER'];
  if (given !== undefined && given !== '') {
    const pepper = parseKeyPepper(given);
    if (pepper) return pepper;
    throw new CliError(
      'OUTDIAL_KEY_PEPPER must be at least 32 bytes in hexadecimal or base64: `openssl rand -hex 32`.',
    );
  }
  const text = await readPrivateFile(folder.keyPepperPath);
  if (text === undefined) return undefined;
  const pepper = parseKeyPepper(text);
  if (pepper) return pepper;
  throw new CliError(
    `The key pepper in ${folder.keyPepperPath} is damaged: put the old file back, set OUTDIAL_KEY_PEPPER, or remove it and give up all API keys with \`npm start -- --new-secrets\`.`,
  );
}

/**
 * As `findKeyPepper`, and makes one where there is none. It is kept: without it no key that was created works.
 *
 * @throws CliError where keys were created under one that is lost.
 */
export async function ensureKeyPepper(
  folder: DataFolder,
  env: NodeJS.ProcessEnv,
  rule: NewSecretRule,
): Promise<KeyPepper> {
  const found = await findKeyPepper(folder, env);
  if (found) return found;
  const path = folder.keyPepperPath;
  await assertMayBeMade({ name: 'key pepper', path, variable: 'OUTDIAL_KEY_PEPPER', used: 'API keys' }, rule);
  const pepper = randomBytes(PEPPER_BYTES);
  await writePrivateFile(folder.keyPepperPath, `${pepper.toString('hex')}\n`);
  return pepper;
}
