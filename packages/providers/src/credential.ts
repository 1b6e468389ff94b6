import type { AccountId, CredentialId, Provider, SecretName } from '@outdial/contracts';

/** A credential without its key. */
export interface ProviderCredential {
  readonly id: CredentialId;
  /** Null: the operator's, which every account may use. */
  readonly accountId: AccountId | null;
  readonly provider: Provider;
  /** Unique in the account, and among the operator's. */
  readonly name: string;
  /** Null: the provider's address. */
  readonly baseUrl: string | null;
  readonly region: string | null;
  /** Credentials of one group share their limits. */
  readonly limitsGroup: string | null;
  readonly maxConcurrentCalls: number | null;
  readonly startsPerSecond: number | null;
  /** How many texts its voices speak at once, in each worker. Null: no limit. */
  readonly maxGenerations: number | null;
  readonly createdAtMs: number;
}

/** What a driver needs to connect. Lives as long as the call; never in settings, jobs, Redis, events or errors. */
export interface OpenedCredential extends ProviderCredential {
  readonly apiKey: string;
}

/** What a worker reads for the calls that it claims. */
export interface CredentialSource {
  /** The account's own and the operator's. */
  usableBy(accountId: AccountId): Promise<readonly ProviderCredential[]>;
  /** Null if the account may not use it, it was deleted, or it was sealed with another secret key. */
  open(accountId: AccountId, credentialId: CredentialId): Promise<OpenedCredential | null>;
  /** The secrets of these names that the account has. One that does not open is left out. */
  openSecrets(accountId: AccountId, names: readonly SecretName[]): Promise<ReadonlyMap<SecretName, string>>;
}
