import { parseKeyPepper, type KeyPepper } from '@outdial/secrets';
import type { DataFolder } from './data-folder.ts';
import { ensureSecret, findSecret, type InstanceSecret, type NewSecretRule } from './instance-secret.ts';

const keyPepperIn = ({ keyPepperPath }: DataFolder): InstanceSecret => ({
  name: 'key pepper',
  path: keyPepperPath,
  variable: 'OUTDIAL_KEY_PEPPER',
  used: 'API keys',
  parse: parseKeyPepper,
});

/** @throws CliError when the pepper is invalid. */
export function findKeyPepper(folder: DataFolder, env: NodeJS.ProcessEnv): Promise<KeyPepper | undefined> {
  return findSecret(keyPepperIn(folder), env);
}

/** Generates one when there is none. @throws CliError when API keys depend on a lost one. */
export function ensureKeyPepper(folder: DataFolder, env: NodeJS.ProcessEnv, rule: NewSecretRule): Promise<KeyPepper> {
  return ensureSecret(keyPepperIn(folder), env, rule);
}
