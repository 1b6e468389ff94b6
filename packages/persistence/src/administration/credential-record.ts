import type { AccountId, CheckResult } from '@outdial/contracts';
import type { ProviderCredential } from '@outdial/providers';
import { openSecret, sealSecret, type SealedFor, type SecretKey } from '@outdial/secrets';
import { Prisma } from '../generated/client.ts';

/** A credential as it is shown, without its key. */
export interface CredentialRecord extends ProviderCredential {
  /** The last four characters of the key; empty for a short one. */
  readonly shownSuffix: string;
  /** When the present key was set. */
  readonly rotatedAtMs: number;
  /** Of the present key; null: not checked yet. */
  readonly checkedAtMs: number | null;
  readonly checkResult: CheckResult | null;
}

/** Columns of a credential `c`, without the sealed key. */
export const CREDENTIAL_COLUMNS = Prisma.sql`
  c.id, c.account_id AS "accountId", c.provider, c.name, c.base_url AS "baseUrl", c.region,
  c.shown_suffix AS "shownSuffix", c.limits_group AS "limitsGroup", c.max_concurrent_calls AS "maxConcurrentCalls",
  c.starts_per_second AS "startsPerSecond", c.max_generations AS "maxGenerations", epoch_ms(c.created_at) AS "createdAtMs",
  epoch_ms(c.rotated_at) AS "rotatedAtMs", epoch_ms(c.checked_at) AS "checkedAtMs", c.check_result AS "checkResult"`;

/** Condition for credentials `c` of this owner; null: of the operator. */
export function ownedBy(owner: AccountId | null): Prisma.Sql {
  return owner === null ? Prisma.sql`c.account_id IS NULL` : Prisma.sql`c.account_id = ${owner}::uuid`;
}

/** A key is bound to its owner and its row: copied to another account's or another row, it does not open. */
function sealedFor({ id, accountId }: Pick<CredentialRecord, 'id' | 'accountId'>): SealedFor {
  return { purpose: 'provider credential', owner: `${accountId ?? 'operator'} ${id}` };
}

const SHOWN_LENGTH = 4;
/** Of a shorter key, four characters would be a considerable part. */
const MIN_LENGTH_TO_SHOW = 16;

/** What is stored of a key. */
export function storedKey(of: Pick<CredentialRecord, 'id' | 'accountId'>, apiKey: string, secretKey: SecretKey) {
  return {
    sealed: sealSecret(secretKey, apiKey, sealedFor(of)),
    shownSuffix: apiKey.length < MIN_LENGTH_TO_SHOW ? '' : apiKey.slice(-SHOWN_LENGTH),
  };
}

/** Undefined: sealed with another secret key, or for another row. */
export function openedKey(
  of: Pick<CredentialRecord, 'id' | 'accountId'>,
  sealed: Uint8Array,
  secretKey: SecretKey,
): string | undefined {
  return openSecret(secretKey, sealed, sealedFor(of));
}
