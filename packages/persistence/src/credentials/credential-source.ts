import type { SecretName } from '@outdial/contracts';
import type { CredentialSource, ProviderCredential } from '@outdial/providers';
import type { SecretKey } from '@outdial/secrets';
import { openedSecret } from '../administration/account-secrets.ts';
import { openedKey } from '../administration/credential-record.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

export interface CredentialSourceOptions {
  /** The key that credentials and secrets are sealed with. */
  readonly secretKey: SecretKey;
  /** Called for each value that does not open. The error names the row, and nothing of its value. */
  readonly onUnreadable: (error: Error) => void;
}

const COLUMNS = Prisma.sql`
  c.id, c.account_id AS "accountId", c.provider, c.name, c.base_url AS "baseUrl", c.region,
  c.limits_group AS "limitsGroup", c.max_concurrent_calls AS "maxConcurrentCalls",
  c.starts_per_second AS "startsPerSecond", c.max_generations AS "maxGenerations", epoch_ms(c.created_at) AS "createdAtMs"`;

/** Reads and opens what the claimed calls of a worker need. Nothing is kept: a deleted credential opens no more. */
export function createCredentialSource(
  { side }: Database,
  { secretKey, onUnreadable }: CredentialSourceOptions,
): CredentialSource {
  return {
    usableBy: (accountId) => side.$queryRaw<ProviderCredential[]>`
      SELECT ${COLUMNS} FROM provider_credentials c
      WHERE c.account_id = ${accountId}::uuid OR c.account_id IS NULL ORDER BY c.created_at, c.id`,
    async open(accountId, credentialId) {
      const [row] = await side.$queryRaw<(ProviderCredential & { readonly sealed: Uint8Array })[]>`
        SELECT ${COLUMNS}, c.sealed FROM provider_credentials c
        WHERE c.id = ${credentialId}::uuid AND (c.account_id = ${accountId}::uuid OR c.account_id IS NULL)`;
      if (!row) return null;
      const { sealed, ...credential } = row;
      const apiKey = openedKey(credential, sealed, secretKey);
      if (apiKey !== undefined) return { ...credential, apiKey };
      onUnreadable(new Error(`credential ${credential.id} was sealed with another secret key: rotate it`));
      return null;
    },
    async openSecrets(accountId, names) {
      const rows = await side.$queryRaw<{ readonly name: SecretName; readonly sealed: Uint8Array }[]>`
        SELECT s.name, s.sealed FROM account_secrets s
        WHERE s.account_id = ${accountId}::uuid AND s.name = ANY(${names}::text[])`;
      const opened = new Map<SecretName, string>();
      for (const { name, sealed } of rows) {
        const value = openedSecret({ accountId, name }, sealed, secretKey);
        if (value !== undefined) opened.set(name, value);
        else
          onUnreadable(
            new Error(`secret ${name} of account ${accountId} was sealed with another secret key: set it again`),
          );
      }
      return opened;
    },
  };
}
