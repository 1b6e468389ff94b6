import type { AccountId, Provider } from '@outdial/contracts';

export interface CredentialWanted {
  readonly accountId: AccountId;
  readonly provider: Provider;
  /** As the settings of the agent name it; null if they name none. */
  readonly name: string | null;
}

/** The credential that a call uses. It has no key: that is read where the call is conducted. */
export interface CredentialRef {
  readonly id: string;
  /** Null for the operator's. */
  readonly accountId: AccountId | null;
}

/** Results may be up to one second old. */
export interface CredentialDirectory {
  /**
   * The credential that is named; without a name the account's only one for the provider, else the operator's, those at
   * the provider's own address first. Null: the provider is not configured.
   */
  find(wanted: CredentialWanted): Promise<CredentialRef | null>;
}
