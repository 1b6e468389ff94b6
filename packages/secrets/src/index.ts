export { openSecret, sealSecret, type SealedFor, type SecretPurpose } from './seal-secret.ts';
export { parseSecretKey, type SecretKey } from './secret-key.ts';
