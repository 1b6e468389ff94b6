import { credentialIdSchema, type AccountId, type CheckResult } from '@outdial/contracts';
import type { EgressClient } from '@outdial/egress';
import { createFreshCache, pause, type Clock, type Logger } from '@outdial/kernel';
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
   * Asks for the model. What is rejected may be the model alone, for which a key needs its own right: the key is then checked by
   * itself. Null: there is no such credential, or this worker cannot open it. Rejects while Postgres is away.
   */
  check(key: KeyToCheck, model: string): Promise<CheckResult | null>;
  /**
   * Whether the key is rejected, from checks of the last seconds: twice, for a provider may err once. Such a key closes its
   * credential for all workers. False while that is not known. Never rejects.
   */
  isRejected(key: KeyToCheck): Promise<boolean>;
}

/** Refused calls share a check, so that an account cannot flood a provider. */
const MAX_AGE_MS = 5_000;
/** More than a check may take. */
const MAX_CHECK_MS = 30_000;
const MAX_KEYS = 10_000;
/** Between the two checks that close a credential. */
const AGAIN_AFTER_MS = 2_000;

export function createKeyChecks({ credentialsOf, secretKey, egress, clock, logger }: KeyChecksDeps): KeyChecks {
  const results = createFreshCache<CheckResult | null>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxReadMs: MAX_CHECK_MS,
    maxEntries: MAX_KEYS,
  });

  async function ask({ credentialId, accountId }: KeyToCheck, model?: string) {
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
    return { credentials, credential, result };
  }

  /** Only a rejection is saved, as what a person must know: a check by hand shows the rest. */
  async function judge(key: KeyToCheck): Promise<CheckResult | null> {
    const first = await ask(key);
    if (first?.result !== 'rejected') return first?.result ?? null;
    await pause(clock, AGAIN_AFTER_MS);
    const second = await ask(key);
    if (second?.result !== 'rejected') return second?.result ?? null;
    // Another key: it was asked about once.
    if (second.credential.rotatedAtMs !== first.credential.rotatedAtMs) return null;
    const { credentials, credential, result } = second;
    const { id, provider, checkResult } = credential;
    const isSaved = (await credentials.recordCheck(credential, result)) !== null;
    if (isSaved && checkResult !== 'rejected')
      logger.warn(
        { event: 'credential.rejected', credentialId: id, provider, accountId: key.accountId },
        'a provider rejects a key: rotate the credential',
      );
    return result;
  }

  const isRejected: KeyChecks['isRejected'] = (key) =>
    results(key.credentialId, () => judge(key)).then(
      (result) => result === 'rejected',
      (error: unknown) => {
        logger.warn({ event: 'breaker.check_failed', err: error }, 'a credential could not be checked');
        return false;
      },
    );

  return {
    async check(key, model) {
      const asked = await ask(key, model);
      // Not awaited: a check has a limit of time, in which others wait for its breaker.
      if (asked?.result === 'rejected') void isRejected(key);
      return asked?.result ?? null;
    },
    isRejected,
  };
}
