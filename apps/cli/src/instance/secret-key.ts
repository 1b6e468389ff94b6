import { parseSecretKey, type SecretKey } from '@outdial/secrets';
import type { DataFolder } from './data-folder.ts';
import { ensureSecret, findSecret, type KeptSecret, type NewSecretRule } from './kept-secret.ts';

const secretKeyIn = ({ secretKeyPath }: DataFolder): KeptSecret => ({
  name: 'secret key',
  path: secretKeyPath,
  variable: 'OUTDIAL_SECRET_KEY',
  used: 'passwords of trunks',
  parse: parseSecretKey,
});

/** @throws CliError for one that cannot be used. */
export function findSecretKey(folder: DataFolder, env: NodeJS.ProcessEnv): Promise<SecretKey | undefined> {
  return findSecret(secretKeyIn(folder), env);
}

/** Makes one where there is none. @throws CliError where passwords were saved under one that is lost. */
export function ensureSecretKey(folder: DataFolder, env: NodeJS.ProcessEnv, rule: NewSecretRule): Promise<SecretKey> {
  return ensureSecret(secretKeyIn(folder), env, rule);
}
