import type { AccountId, Provider } from '@outdial/contracts';

/** Plans of voices count the texts that are spoken at once, not calls. */
export interface GenerationLimit {
  /** Names what has the limit: the credential, or the group that it shares with other keys of the provider's project. */
  readonly key: string;
  /** In each worker. */
  readonly most: number;
  /** Accounts share it: no account takes all of it. */
  readonly isShared: boolean;
  /** Whose call it is. */
  readonly accountId: AccountId;
}

/** A provider's key, opened for one call. It never leaves the thread that talks to the provider. */
export interface OpenedCredential {
  readonly credentialId: string;
  readonly provider: Provider;
  readonly apiKey: string;
  /** Null: the provider's own address. */
  readonly baseUrl: string | null;
  /** Without it, its voices speak as many texts at once as are asked for. */
  readonly generations?: GenerationLimit;
}

/** Reads and opens credentials of providers. */
export interface CredentialOpener {
  /** Omits those that the account may not use, that do not exist any more, and that do not open. */
  open(accountId: AccountId, credentialIds: readonly string[]): Promise<readonly OpenedCredential[]>;
  /** The account's secrets of these names, for its tools; those that do not exist or do not open are missing. */
  openSecrets(accountId: AccountId, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
