export { checkCredential, egressScopeOf, type CheckInput, type CheckOutcome } from './check-credential.ts';
export type { CredentialSource, OpenedCredential, ProviderCredential } from './credential.ts';
export { providerAddress } from './provider-address.ts';
export { resolveCredential, type CredentialWanted } from './resolve-credential.ts';
