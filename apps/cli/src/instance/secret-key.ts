import { randomBytes } from 'node:crypto';
import { parseSecretKey, type SecretKey } from '@outdial/calls';
import { CliError } from '../cli-error.ts';
import type { DataFolder } from './data-folder.ts';
import { assertMayBeMade, type NewSecretRule } from './lost-secret.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const SECRET_KEY_BYTES = 32;

/** The secret key of the environment, else the one in the data folder; undefined where neither is. */
export async function findSecretKey(folder: DataFolder, env: NodeJS.ProcessEnv): Promise<SecretKey | undefined> {
  const given = env['OUTDIAL_SECRET_KEY'];
  if (given !== undefined && given !== '') {
    const key = parseSecretKey(given);
    if (key) return key;
    throw new CliError(
      'OUTDIAL_SECRET_KEY must be at least 32 bytes in hexadecimal or base64: `openssl rand -hex 32`.',
    );
  }
  const text = await readPrivateFile(folder.secretKeyPath);
  if (text === undefined) return undefined;
  const key = parseSecretKey(text);
  if (key) return key;
  throw new CliError(
    `The secret key in ${folder.secretKeyPath} is damaged: put the old file back, set OUTDIAL_SECRET_KEY, or remove it, start with \`npm start -- --new-secrets\` and set every trunk's password anew.`,
  );
}

/**
 * As `findSecretKey`, and makes one where there is none. It is kept: without it no trunk's password can be read.
 *
 * @throws CliError where passwords were saved under one that is lost.
 */
export async function ensureSecretKey(
  folder: DataFolder,
  env: NodeJS.ProcessEnv,
  rule: NewSecretRule,
): Promise<SecretKey> {
  const found = await findSecretKey(folder, env);
  if (found) return found;
  const path = folder.secretKeyPath;
  await assertMayBeMade(
    { name: 'secret key', path, variable: 'OUTDIAL_SECRET_KEY', used: 'passwords of trunks' },
    rule,
  );
  const key = randomBytes(SECRET_KEY_BYTES);
  await writePrivateFile(folder.secretKeyPath, `${key.toString('hex')}\n`);
  return key;
}
