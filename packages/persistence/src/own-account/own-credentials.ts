import {
  administerCredentials,
  type CredentialAdministration,
  type NewCredential,
} from '../administration/credentials.ts';
import { administerSecrets, type NewSecret, type SecretAdministration } from '../administration/account-secrets.ts';
import type { OwnContext } from './own-context.ts';

/** The account's own credentials. Groups are for operators. */
export interface OwnCredentials extends Omit<CredentialAdministration, 'create'> {
  /** @throws Refusal `credential_exists` @throws AccountBoundReached */
  create(input: Omit<NewCredential, 'limitsGroup' | 'maxOfAccount'>): ReturnType<CredentialAdministration['create']>;
}

export function ownCredentials(context: OwnContext): OwnCredentials {
  const credentials = administerCredentials(context, context.accountId);
  const maxOfAccount = context.bounds.credentials;
  return { ...credentials, create: (input) => credentials.create({ ...input, maxOfAccount }) };
}

/** The account's own secrets. */
export interface OwnSecrets extends Omit<SecretAdministration, 'set'> {
  /** @throws AccountBoundReached */
  set(input: Omit<NewSecret, 'maxOfAccount'>): ReturnType<SecretAdministration['set']>;
}

export function ownSecrets(context: OwnContext): OwnSecrets {
  const secrets = administerSecrets(context, context.accountId);
  const maxOfAccount = context.bounds.secrets;
  return { ...secrets, set: (input) => secrets.set({ ...input, maxOfAccount }) };
}
