import { EnvError } from '@outdial/kernel';
import { privateS3, type PrivateS3 } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { s3SettingsFor } from '../../test/stored.ts';
import { checkBucket, type BucketCheck } from './check-bucket.ts';
import { createS3Client } from './s3-client.ts';
import type { S3Settings } from './s3-settings.ts';

let server: PrivateS3;
beforeAll(async () => {
  server = await privateS3();
});
afterEach(() => {
  server.answerWith();
  vi.unstubAllEnvs();
});
afterAll(() => server.close());

interface Attempt {
  readonly settings?: Partial<S3Settings>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

async function check({ settings = {}, environment = server.credentials }: Attempt = {}): Promise<BucketCheck> {
  // Only the test's settings: neither files of the user who runs it nor the machine's own role.
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const used = s3SettingsFor(server, settings);
  const client = createS3Client(used);
  try {
    return await checkBucket(client, used);
  } finally {
    client.destroy();
  }
}

it('accepts a usable bucket', async () => {
  expect(await check()).toEqual({ kind: 'usable' });
});

it.each<[string, () => Attempt, RegExp]>([
  ['a bucket that is missing', () => ({ settings: { bucket: 'nowhere' } }), /has no bucket "nowhere": create it, or/],
  [
    'an unknown key',
    () => ({ environment: { AWS_ACCESS_KEY_ID: 'stranger', AWS_SECRET_ACCESS_KEY: 'x' } }),
    /rejects the credentials \(InvalidAccessKeyId\): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\.$/,
  ],
  ['no credentials', () => ({ environment: {} }), /No credentials for the bucket "recordings" were found: set AWS_/],
  [
    'no region',
    () => ({ settings: { endpoint: undefined }, environment: { ...server.credentials, AWS_REGION: undefined } }),
    /region of the bucket "recordings" is missing or wrong: set OUTDIAL_S3_REGION/,
  ],
])('reports in one sentence what is wrong: %s', async (_, attempt, sentence) => {
  const refused = check(attempt());
  await expect(refused).rejects.toThrow(EnvError);
  await expect(refused).rejects.toThrow(sentence);
  const text = await refused.catch((error: unknown) => String(error));
  expect(text).not.toContain('\n');
});

it.each([
  ['SignatureDoesNotMatch', 403, /rejects the credentials \(SignatureDoesNotMatch\): check AWS_ACCESS_KEY_ID/],
  [
    'AccessDenied',
    403,
    /denies access to the bucket "recordings": allow listing, reading, writing and deleting its objects/,
  ],
  ['PermanentRedirect', 301, /set OUTDIAL_S3_REGION/],
  ['MethodNotAllowed', 405, /cannot be used \(MethodNotAllowed: no\): check OUTDIAL_S3_BUCKET and OUTDIAL_S3_ENDPOINT/],
])('reports a response with %s as well', async (code, status, sentence) => {
  server.answerWith((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
  });
  await expect(check()).rejects.toThrow(sentence);
});

it('does not block the start while the store is unavailable', async () => {
  await server.stop();
  try {
    expect((await check()).kind).toBe('away');
  } finally {
    await server.start();
  }
});
