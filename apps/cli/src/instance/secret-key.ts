import { parseSecretKey, type SecretKey } from '@outdial/secrets';
import type { DataFolder } from './data-folder.ts';
import { ensureSecret, findSecret, type InstanceSecret, type NewSecretRule } from './instance-secret.ts';

const secretKeyIn = ({ secretKeyPath }: DataFolder): InstanceSecret => ({
  name: 'secret key',
  path: secretKeyPath,
  variable: 'OUTDIAL_SECRET_KEY',
  used: 'sealed secrets',
  parse: parseSecretKey,
});

/** @throws CliError when the key is invalid. */
export function findSecretKey(folder: DataFolder, env: NodeJS.ProcessEnv): Promise<SecretKey | undefined> {
  return findSecret(secretKeyIn(folder), env);
}

/** Generates one when there is none. @throws CliError when sealed secrets depend on a lost one. */
export function ensureSecretKey(folder: DataFolder, env: NodeJS.ProcessEnv, rule: NewSecretRule): Promise<SecretKey> {
  return ensureSecret(secretKeyIn(folder), env, rule);
}
