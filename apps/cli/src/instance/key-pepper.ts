import { parseKeyPepper, type KeyPepper } from '@outdial/calls';
import type { DataFolder } from './data-folder.ts';
import { ensureSecret, findSecret, type KeptSecret, type NewSecretRule } from './kept-secret.ts';

const keyPepperIn = ({ keyPepperPath }: DataFolder): KeptSecret => ({
  name: 'key pepper',
  path: keyPepperPath,
  variable: 'OUTDIAL_KEY_PEPPER',
  used: 'API keys',
  parse: parseKeyPepper,
});

/** @throws CliError for one that cannot be used. */
export function findKeyPepper(folder: DataFolder, env: NodeJS.ProcessEnv): Promise<KeyPepper | undefined> {
  return findSecret(keyPepperIn(folder), env);
}

/** Makes one where there is none. @throws CliError where keys were created under one that is lost. */
export function ensureKeyPepper(folder: DataFolder, env: NodeJS.ProcessEnv, rule: NewSecretRule): Promise<KeyPepper> {
  return ensureSecret(keyPepperIn(folder), env, rule);
}
