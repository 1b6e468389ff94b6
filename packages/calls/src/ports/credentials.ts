import type { AccountId, Provider } from '@outdial/contracts';

/** A provider's key, opened for one call. It never leaves the thread that talks to the provider. */
export interface OpenedCredential {
  readonly credentialId: string;
  readonly provider: Provider;
  readonly apiKey: string;
  /** Null: the provider's own address. */
  readonly baseUrl: string | null;
}

/** Reads and opens credentials of providers. */
export interface CredentialOpener {
  /** Omits those that the account may not use, that do not exist any more, and that do not open. */
  open(accountId: AccountId, credentialIds: readonly string[]): Promise<readonly OpenedCredential[]>;
  /** The account's secrets of these names, for its tools; those that do not exist or do not open are missing. */
  openSecrets(accountId: AccountId, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
