import type { AccountId, Provider } from '@outdial/contracts';
import type { ProviderCredential } from './credential.ts';

export interface CredentialWanted {
  readonly accountId: AccountId;
  readonly provider: Provider;
  /** As the settings of the agent name it; null if they name none. */
  readonly name: string | null;
}

type Candidate = Pick<ProviderCredential, 'id' | 'accountId' | 'provider' | 'name' | 'baseUrl' | 'createdAtMs'>;

/**
 * The credential that a call uses: the one that is named, of the account before the operator's; without a name the
 * account's only one for the provider, else the operator's: those at the provider's own address before others, such as
 * a simulated provider, and then the oldest. Null: the provider is not configured.
 */
export function resolveCredential<Credential extends Candidate>(
  credentials: readonly Credential[],
  { accountId, provider, name }: CredentialWanted,
): Credential | null {
  const ofProvider = credentials.filter((credential) => credential.provider === provider);
  const own = ofProvider.filter((credential) => credential.accountId === accountId);
  const ofOperator = ofProvider.filter((credential) => credential.accountId === null);
  if (name !== null) return [...own, ...ofOperator].find((credential) => credential.name === name) ?? null;
  const [only, another] = own;
  if (only !== undefined && another === undefined) return only;
  return ofOperator.toSorted((left, right) => byAddress(left, right) || byAge(left, right))[0] ?? null;
}

const byAddress = (left: Candidate, right: Candidate): number =>
  Number(left.baseUrl !== null) - Number(right.baseUrl !== null);

/** By id within a millisecond, so that every worker chooses the same one. */
function byAge(left: Candidate, right: Candidate): number {
  return left.createdAtMs - right.createdAtMs || (left.id < right.id ? -1 : 1);
}
