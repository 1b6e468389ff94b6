import { createAdministration } from '@outdial/persistence';
import type { SecretKey, KeyPepper } from '@outdial/secrets';
import type { DataFolder } from '../instance/data-folder.ts';
import { ensureKeyPepper } from '../instance/key-pepper.ts';
import { ensureSecretKey } from '../instance/secret-key.ts';
import { hasSealedSecrets, hasUsableKeys } from '../instance/secrets-in-use.ts';
import type { StartInput } from './start-input.ts';
import { withDatabase } from './with-database.ts';

interface Secrets {
  readonly pepper: KeyPepper;
  readonly secretKey: SecretKey;
}

/** Finds the secrets of this instance, or generates those that no data in the database depends on. */
export async function ensureSecrets(
  { options, env, clock }: Pick<StartInput, 'options' | 'env' | 'clock'>,
  folder: DataFolder,
  databaseUrl: string,
): Promise<Secrets> {
  const isDiscarded = options.newSecrets;
  return withDatabase(databaseUrl, async (database) => {
    const administration = createAdministration(database, { actor: 'npm start' });
    const pepper = await ensureKeyPepper(folder, env, {
      isNeeded: () => hasUsableKeys(administration, clock),
      isDiscarded,
    });
    const isNeeded = () => hasSealedSecrets(administration);
    return { pepper, secretKey: await ensureSecretKey(folder, env, { isNeeded, isDiscarded }) };
  });
}
