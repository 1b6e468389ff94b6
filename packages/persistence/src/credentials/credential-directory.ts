import type { CredentialDirectory } from '@outdial/calls';
import { resolveCredential, type ProviderCredential } from '@outdial/providers';
import type { Database } from '../database.ts';

type Candidate = Pick<ProviderCredential, 'id' | 'accountId' | 'provider' | 'name' | 'baseUrl' | 'createdAtMs'>;

/** Chooses among the account's credentials and the operator's. It reads no key. */
export function createCredentialDirectory({ side }: Pick<Database, 'side'>): CredentialDirectory {
  return {
    async find(wanted) {
      const candidates = await side.$queryRaw<Candidate[]>`
        SELECT c.id, c.account_id AS "accountId", c.provider, c.name, c.base_url AS "baseUrl",
          epoch_ms(c.created_at) AS "createdAtMs"
        FROM provider_credentials c
        WHERE c.provider = ${wanted.provider} AND (c.account_id = ${wanted.accountId}::uuid OR c.account_id IS NULL)
        ORDER BY c.created_at, c.id`;
      const chosen = resolveCredential(candidates, wanted);
      return chosen && { id: chosen.id, accountId: chosen.accountId };
    },
  };
}
