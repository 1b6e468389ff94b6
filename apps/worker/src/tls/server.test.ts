import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { LOCALHOST_IDENTITY } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTlsServer } from './server.ts';

let folder: string;
const path = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdial-tls-'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const otherKey = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await Promise.all([
    writeFile(path('cert.pem'), LOCALHOST_IDENTITY.certificate),
    writeFile(path('key.pem'), LOCALHOST_IDENTITY.key),
    writeFile(path('other-key.pem'), otherKey),
    writeFile(path('nonsense.pem'), 'nonsense'),
    writeFile(path('empty.pem'), ''),
    // A half-written copy of a certificate and its chain.
    writeFile(path('half.pem'), `${LOCALHOST_IDENTITY.certificate}${LOCALHOST_IDENTITY.authority.slice(0, 300)}`),
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

const settings = (cert: string, key: string) => ({ SIP_TLS_CERT: path(cert), SIP_TLS_KEY: path(key) });

test('the worker does not listen for TLS without a certificate', async () => {
  expect(await readTlsServer({})).toBeNull();
});

test('a certificate and its key make the worker listen for TLS, by default at 5061', async () => {
  const cert = Buffer.from(LOCALHOST_IDENTITY.certificate);
  const identity = { cert, subject: 'CN=localhost', expiresAtMs: Date.UTC(2120, 0, 1) };
  expect(await readTlsServer(settings('cert.pem', 'key.pem'))).toMatchObject({ port: 5_061, identity });
  expect(await readTlsServer({ ...settings('cert.pem', 'key.pem'), SIP_TLS_PORT: 0 })).toMatchObject({ port: 0 });
});

test.each([
  ['a port alone', () => ({ SIP_TLS_PORT: 5_061 }), /^SIP_TLS_CERT is not set: .* set SIP_TLS_CERT and SIP_TLS_KEY/],
  ['a certificate alone', () => ({ SIP_TLS_CERT: path('cert.pem') }), /^SIP_TLS_KEY is not set/],
  ['a missing file', () => settings('cert.pem', 'none.pem'), /^SIP_TLS_KEY: .*none\.pem cannot be read/],
  [
    'the key of another certificate',
    () => settings('cert.pem', 'other-key.pem'),
    /^SIP_TLS_CERT and SIP_TLS_KEY cannot be used/,
  ],
  ['half a chain', () => settings('half.pem', 'key.pem'), /^SIP_TLS_CERT and SIP_TLS_KEY cannot be used/],
  ['an empty certificate', () => settings('empty.pem', 'key.pem'), /^SIP_TLS_CERT and SIP_TLS_KEY cannot be used/],
  ['an empty key', () => settings('cert.pem', 'empty.pem'), /^SIP_TLS_CERT and SIP_TLS_KEY cannot be used/],
  [
    'a file that is not a certificate',
    () => settings('nonsense.pem', 'key.pem'),
    /^SIP_TLS_CERT and SIP_TLS_KEY cannot be used/,
  ],
])('%s stops the start and says what to do', async (_, given, complaint) => {
  await expect(readTlsServer(given())).rejects.toThrow(complaint);
});
