import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { EnvError } from '@outdial/kernel';
import { isStoreUnavailable } from './s3-errors.ts';
import type { S3Settings } from './s3-settings.ts';

/** `away`: the store did not respond; uploads wait until it is back. */
export type BucketCheck = { readonly kind: 'usable' } | { readonly kind: 'away'; readonly error: unknown };

const CHECK_LIMIT_MS = 5_000;

/**
 * Lists one name of the bucket: unlike HEAD, the response says what is wrong.
 * @throws EnvError in one sentence: the bucket is missing, the credentials are rejected, the region is wrong
 */
export async function checkBucket(client: S3Client, settings: S3Settings): Promise<BucketCheck> {
  const page = { Bucket: settings.bucket, Prefix: settings.prefix, MaxKeys: 1 };
  try {
    await client.send(new ListObjectsV2Command(page), { abortSignal: AbortSignal.timeout(CHECK_LIMIT_MS) });
    return { kind: 'usable' };
  } catch (error) {
    if (isStoreUnavailable(error)) return { kind: 'away', error };
    throw new EnvError(explain(error, settings));
  }
}

/** Error names differ between stores; the first name of each row is Amazon's. */
const CREDENTIALS_REJECTED = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'NotSignedUp',
  'Unauthorized',
]);
const WRONG_REGION = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

function explain(error: unknown, { bucket, endpoint }: S3Settings): string {
  const where = endpoint === undefined ? 'Amazon S3' : `The store at ${endpoint}`;
  const name = error instanceof Error ? error.name : 'UnknownError';
  const text = error instanceof Error ? error.message : String(error);
  if (name === 'NoSuchBucket') {
    return `${where} has no bucket "${bucket}": create it, or correct OUTDIAL_S3_BUCKET.`;
  }
  if (CREDENTIALS_REJECTED.has(name)) {
    return `${where} rejects the credentials (${name}): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
  }
  if (name === 'AccessDenied' || name === 'Forbidden') {
    return `${where} denies access to the bucket "${bucket}": allow listing, reading, writing and deleting its objects.`;
  }
  if (name === 'CredentialsProviderError') {
    return `No credentials for the bucket "${bucket}" were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
  }
  if (WRONG_REGION.has(name) || text.startsWith('Region is missing')) {
    return `The region of the bucket "${bucket}" is missing or wrong: set OUTDIAL_S3_REGION.`;
  }
  return `The bucket "${bucket}" cannot be used (${name}: ${text}): check OUTDIAL_S3_BUCKET and OUTDIAL_S3_ENDPOINT.`;
}
