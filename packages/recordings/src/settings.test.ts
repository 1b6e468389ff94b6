import { EnvError, parseEnv } from '@outdial/kernel';
import { expect, it } from 'vitest';
import { recordingsEnv, retentionEnv, s3SettingsOf } from './settings.ts';

const settingsOf = (source: NodeJS.ProcessEnv) => s3SettingsOf(parseEnv(recordingsEnv, source));
const IN_S3 = { OUTDIAL_RECORDINGS: 's3', OUTDIAL_S3_BUCKET: 'calls.example' };

it('keeps recordings in the data folder by default', () => {
  expect(settingsOf({})).toBeNull();
  expect(settingsOf({ OUTDIAL_S3_BUCKET: 'calls.example' })).toBeNull();
});

it('reads the bucket and its location', () => {
  expect(settingsOf(IN_S3)).toEqual({ bucket: 'calls.example', prefix: '', forcePathStyle: false });
  expect(
    settingsOf({
      ...IN_S3,
      OUTDIAL_S3_ENDPOINT: 'https://minio.example:9000',
      OUTDIAL_S3_REGION: 'eu-central-1',
      OUTDIAL_S3_PREFIX: 'outdial/',
      OUTDIAL_S3_FORCE_PATH_STYLE: 'true',
    }),
  ).toEqual({
    bucket: 'calls.example',
    endpoint: 'https://minio.example:9000',
    region: 'eu-central-1',
    prefix: 'outdial/',
    forcePathStyle: true,
  });
});

it('fails without a bucket', () => {
  expect(() => settingsOf({ OUTDIAL_RECORDINGS: 's3' })).toThrow(EnvError);
  expect(() => settingsOf({ OUTDIAL_RECORDINGS: 's3' })).toThrow(/^OUTDIAL_S3_BUCKET is not set: name the bucket/);
});

it.each([
  ['OUTDIAL_RECORDINGS', 'S3'],
  ['OUTDIAL_S3_BUCKET', 'no spaces'],
  ['OUTDIAL_S3_BUCKET', 's3://bucket'],
  ['OUTDIAL_S3_ENDPOINT', 'minio:9000'],
  ['OUTDIAL_S3_PREFIX', '/outdial'],
  ['OUTDIAL_S3_FORCE_PATH_STYLE', 'yes'],
])('rejects %s=%s by name', (name, value) => {
  expect(() => settingsOf({ ...IN_S3, [name]: value })).toThrow(new RegExp(`^${name}=.* cannot be used: it must `));
});

it.each(['0', '-1', '1.5', '40000'])('rejects a retention of %s days', (days) => {
  const read = () => parseEnv(retentionEnv, { OUTDIAL_RECORDING_RETENTION_DAYS: days });
  expect(read).toThrow(/OUTDIAL_RECORDING_RETENTION_DAYS=.* cannot be used: it must be a whole number from 1 to 36500/);
});
