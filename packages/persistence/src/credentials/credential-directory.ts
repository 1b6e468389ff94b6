import type { CredentialDirectory } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { createFreshCache, type Clock } from '@outdial/kernel';
import { resolveCredential, type ProviderCredential } from '@outdial/providers';
import type { Database } from '../database.ts';
import { PROMISED_AGE_MS, type CachedDirectoryOptions } from '../directory/cached-directory.ts';

type Candidate = Pick<ProviderCredential, 'id' | 'accountId' | 'provider' | 'name' | 'baseUrl' | 'createdAtMs'>;

/** The credentials that an account may use, its own and the operator's. Without keys. */
export type ReadCandidates = (accountId: AccountId) => Promise<readonly Candidate[]>;

export function createCandidateReader({ side }: Pick<Database, 'side'>): ReadCandidates {
  return (accountId) => side.$queryRaw<Candidate[]>`
    SELECT c.id, c.account_id AS "accountId", c.provider, c.name, c.base_url AS "baseUrl",
      epoch_ms(c.created_at) AS "createdAtMs"
    FROM provider_credentials c
    WHERE c.account_id = ${accountId}::uuid OR c.account_id IS NULL
    ORDER BY c.created_at, c.id`;
}

/**
 * Chooses credentials from the process's memory: one read serves all models of a call, and those of later calls for up to
 * a second. So a deleted credential is chosen for at most a second more. Keys are not here: they are read for each call.
 */
export function createCredentialDirectory(
  readCandidates: ReadCandidates,
  clock: Clock,
  { maxAgeMs = 500, maxEntries = 10_000 }: CachedDirectoryOptions = {},
): CredentialDirectory {
  const ofAccounts = createFreshCache<readonly Candidate[]>({
    clock,
    maxAgeMs,
    maxReadMs: PROMISED_AGE_MS,
    maxEntries,
  });
  return {
    async find(wanted) {
      const candidates = await ofAccounts(wanted.accountId, () => readCandidates(wanted.accountId));
      // A credential that was saved a moment ago must not be missed.
      const chosen =
        resolveCredential(candidates, wanted) ?? resolveCredential(await readCandidates(wanted.accountId), wanted);
      return chosen && { id: chosen.id, accountId: chosen.accountId };
    },
  };
}
