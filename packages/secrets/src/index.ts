export {
  createApiKey,
  digestApiKey,
  digestsEqual,
  isWellFormedApiKey,
  parseKeyPepper,
  SHOWN_KEY_LENGTH,
  type KeyPepper,
} from './api-key.ts';
export { openSecret, sealSecret, type SealedFor, type SecretPurpose } from './seal-secret.ts';
export { parseSecretKey, type SecretKey } from './secret-key.ts';
