import type { SecretKey } from '@outdial/secrets';
import { ApiError } from '../http/api-error.ts';

/** @throws ApiError `secret_key_missing` */
export function requireSecretKey(secretKey: SecretKey | null): SecretKey {
  if (secretKey !== null) return secretKey;
  throw new ApiError({
    code: 'secret_key_missing',
    publicMessage: 'This service cannot seal secrets yet. Ask its operator to set OUTDIAL_SECRET_KEY.',
  });
}
