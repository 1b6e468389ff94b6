import { credentialIdSchema, type AccountId, type CheckResult } from '@outdial/contracts';
import type { EgressClient } from '@outdial/egress';
import { createFreshCache, type Clock, type Logger } from '@outdial/kernel';
import type { CredentialAdministration } from '@outdial/persistence';
import { checkCredential } from '@outdial/providers';
import type { SecretKey } from '@outdial/secrets';

export interface KeyToCheck {
  readonly credentialId: string;
  /** Whose credential it is; null for the operator's. */
  readonly accountId: AccountId | null;
}

export interface KeyChecksDeps {
  readonly credentialsOf: (owner: AccountId | null) => Pick<CredentialAdministration, 'open' | 'recordCheck'>;
  /** Null: this worker opens no credential. */
  readonly secretKey: SecretKey | null;
  readonly egress: Pick<EgressClient, 'request' | 'connect'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The checks of credentials that workers make: of the present key, without tokens. */
export interface KeyChecks {
  /**
   * Checks the key, and asks for the model too. A key that is rejected closes its credential for all workers. Null: there is
   * no such credential, or this worker cannot open it. Rejects while Postgres is away.
   */
  check(key: KeyToCheck, model?: string): Promise<CheckResult | null>;
  /** Whether the key is rejected, from a check of the last seconds. False while that is not known. Never rejects. */
  isRejected(key: KeyToCheck): Promise<boolean>;
}

/** Calls that are refused one after the other share a check: an account cannot have a provider asked without end. */
const MAX_AGE_MS = 5_000;
/** More than a check may take. */
const MAX_CHECK_MS = 30_000;
const MAX_KEYS = 10_000;

export function createKeyChecks({ credentialsOf, secretKey, egress, clock, logger }: KeyChecksDeps): KeyChecks {
  const results = createFreshCache<CheckResult | null>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxReadMs: MAX_CHECK_MS,
    maxEntries: MAX_KEYS,
  });

  async function check({ credentialId, accountId }: KeyToCheck, model?: string): Promise<CheckResult | null> {
    if (secretKey === null) return null;
    const credentials = credentialsOf(accountId);
    const opened = await credentials.open(credentialIdSchema.parse(credentialId), secretKey);
    if (opened?.kind !== 'opened') return null;
    const { credential, apiKey } = opened;
    const { result } = await checkCredential(egress, {
      credential: { ...credential, apiKey },
      model,
      isOfKey: model === undefined,
    });
    // Only what a person must know: a check by hand shows the rest.
    if (result !== 'rejected') return result;
    const { id, provider, checkResult } = credential;
    const isSaved = (await credentials.recordCheck(credential, result)) !== null;
    if (isSaved && checkResult !== 'rejected')
      logger.warn({ event: 'credential.rejected', credentialId: id, provider, accountId }, 'a provider rejects a key');
    return result;
  }

  return {
    check,
    isRejected: (key) =>
      results(key.credentialId, () => check(key)).then(
        (result) => result === 'rejected',
        (error: unknown) => {
          logger.warn({ event: 'breaker.check_failed', err: error }, 'a credential could not be checked');
          return false;
        },
      ),
  };
}
