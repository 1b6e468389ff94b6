import { envChoice, envFlag, envInteger, EnvError, type Env, type EnvSpec } from '@outdial/kernel';
import { z } from 'zod';
import type { S3Settings } from './s3/s3-settings.ts';

/** Bucket naming rules (Amazon S3 user guide, "General purpose bucket naming rules"); a store may be stricter. */
const bucketName = z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/, 'must be the name of a bucket');

const httpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol),
    'must be a URL that begins with http:// or https://',
  );

/** A key has at most 1,024 bytes. */
const objectPrefix = z
  .string()
  .regex(/^[^/].{0,899}$/, 'must not begin with a slash, and must be at most 900 characters long');

/** Environment of every process that reads or writes recordings. */
export const recordingsEnv = {
  OUTDIAL_RECORDINGS: {
    schema: envChoice(['filesystem', 's3']).default('filesystem'),
    description: 'Where recordings are kept. `filesystem`: in the data folder; `s3`: in a bucket.',
  },
  OUTDIAL_S3_BUCKET: {
    schema: bucketName.optional(),
    description: 'With `s3`: the bucket of the recordings.',
  },
  OUTDIAL_S3_ENDPOINT: {
    schema: httpUrl.optional(),
    description: 'With `s3`: URL of the store, if it is not Amazon’s.',
  },
  OUTDIAL_S3_REGION: {
    schema: z.string().optional(),
    description: 'With `s3`: region of the bucket. Without it AWS_REGION, or with an endpoint us-east-1.',
  },
  OUTDIAL_S3_PREFIX: {
    schema: objectPrefix.optional(),
    description: 'With `s3`: prefix of the recordings’ keys in the bucket, such as `outdial/`.',
  },
  OUTDIAL_S3_FORCE_PATH_STYLE: {
    schema: envFlag.default(false),
    description:
      'With `s3`: put the bucket name in the path instead of the host name; most self-hosted stores require it.',
  },
} as const satisfies EnvSpec;

/** Environment of the process that deletes recordings. */
export const retentionEnv = {
  OUTDIAL_RECORDING_RETENTION_DAYS: {
    schema: envInteger({ min: 1, max: 36_500 }).optional(),
    description: 'Days after the end of its call until a recording is deleted. Default: never.',
  },
} as const satisfies EnvSpec;

export type RecordingsEnv = Env<typeof recordingsEnv>;

/** @returns null if recordings are kept in the data folder @throws EnvError if no bucket is named */
export function s3SettingsOf(env: RecordingsEnv): S3Settings | null {
  if (env.OUTDIAL_RECORDINGS === 'filesystem') return null;
  const bucket = env.OUTDIAL_S3_BUCKET;
  if (bucket === undefined) {
    throw new EnvError('OUTDIAL_S3_BUCKET is not set: name the bucket that OUTDIAL_RECORDINGS=s3 keeps recordings in.');
  }
  return {
    bucket,
    prefix: env.OUTDIAL_S3_PREFIX ?? '',
    endpoint: env.OUTDIAL_S3_ENDPOINT,
    region: env.OUTDIAL_S3_REGION,
    forcePathStyle: env.OUTDIAL_S3_FORCE_PATH_STYLE,
  };
}
