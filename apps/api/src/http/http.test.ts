import { randomUUID } from 'node:crypto';
import { errorBodySchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/open-api.ts';
import { sendRaw } from '../../test/raw-request.ts';
import type { TestAccount } from '../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  api.request('POST', '/outbound/calls', { key: account.key, body, headers });

const valid = () => JSON.stringify(account.newCall);
const padded = (bytes: number) => valid() + ' '.repeat(bytes - valid().length);

describe('a body', () => {
  it.each<[string, () => string | Uint8Array<ArrayBuffer>, string]>([
    ['that is empty', () => '', 'body'],
    ['that is cut off', () => valid().slice(0, -1), 'body'],
    ['with NaN', () => '{"max_duration_seconds":NaN}', 'body'],
    ['with a comment', () => `${valid()} // call`, 'body'],
    ['that begins with a byte order mark', () => `\ufeff${valid()}`, 'body'],
    ['that is not an object', () => '[]', 'body'],
    ['that is null', () => 'null', 'body'],
    ['that is a string', () => '"call"', 'body'],
    ['that is not UTF-8', () => Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'body'],
    ['with a duplicate field', () => `{"to_number":"+13335550100",${valid().slice(1)}`, 'to_number'],
    ['with __proto__', () => `{"__proto__":{"agent_id":"x"},${valid().slice(1)}`, '__proto__'],
    [
      'with __proto__ in metadata',
      () => `{"metadata":{"a":{"__proto__":1}},${valid().slice(1)}`,
      'metadata.a.__proto__',
    ],
    [
      'that is nested deeply',
      () => `{"metadata":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)},${valid().slice(1)}`,
      'metadata',
    ],
    ['of nested brackets alone', () => '['.repeat(30_000) + ']'.repeat(30_000), '0'],
  ])('%s returns 400 and names the wrong field', async (_what, body, param) => {
    const answer = await post(body());
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
    expect(answer.error().param?.split('.')[0]).toBe(param.split('.')[0]);
  });

  it('with many unknown fields returns a short list', async () => {
    const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field_${index}`, 1]));
    const answer = await post(JSON.stringify({ ...account.newCall, ...fields }));
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(4_096);
  });

  it('of exactly 64 KiB is accepted, and one byte more is rejected, even without a Content-Length', async () => {
    expect((await post(padded(65_536))).status).toBe(201);
    expect((await post(padded(65_537))).error().code).toBe('body_too_large');
    const headers = ['X-API-Key', account.key, 'Content-Type', 'application/json', 'Transfer-Encoding', 'chunked'];
    const path = '/api/v1/outbound/calls';
    const chunked = await sendRaw(api.url, {
      method: 'POST',
      path,
      headers,
      chunks: [padded(40_000), ' '.repeat(40_000)],
    });
    expect([chunked.status, errorBodySchema.parse(JSON.parse(chunked.text)).error.code]).toEqual([
      413,
      'body_too_large',
    ]);
  });

  it('may declare the charset UTF-8, and must not be compressed', async () => {
    expect((await post(valid(), { 'Content-Type': 'Application/JSON; Charset="UTF-8"' })).status).toBe(201);
    const compressed = await post(valid(), { 'Content-Encoding': 'gzip' });
    expect([compressed.status, compressed.error().code]).toEqual([415, 'unsupported_media_type']);
    expect((await post(valid(), { 'Content-Type': '' })).status).toBe(415);
  });

  it('is not read from a sender without a key', async () => {
    const answer = await api.request('POST', '/outbound/calls', { body: 'x'.repeat(70_000) });
    expect(answer.error().code).toBe('missing_api_key');
  });
});

it('a repeated header, whatever its values, returns 400 and is named', async () => {
  const headers = ['X-API-Key', account.key, 'Content-Type', 'application/json'];
  const twice = ['Idempotency-Key', 'one', 'idempotency-key', 'two'];
  const request = { method: 'POST', path: '/api/v1/outbound/calls', chunks: [valid()] };
  const answer = await sendRaw(api.url, { ...request, headers: [...headers, ...twice] });
  expect([answer.status, errorBodySchema.parse(JSON.parse(answer.text)).error.param]).toEqual([400, 'Idempotency-Key']);
});

describe('a request id', () => {
  it('is returned if it is valid, and generated if it is not', async () => {
    const idFor = async (id: string) =>
      (await api.request('GET', '//healthz', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    expect(await idFor('trace-1:a/b')).toBe('trace-1:a/b');
    for (const id of ['', 'a b', 'x'.repeat(129), '"><script>']) {
      expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
    }
    const headers = ['X-Request-Id', 'one', 'X-Request-Id', 'two'];
    const repeated = await sendRaw(api.url, { path: '/healthz', headers });
    expect(repeated.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is in every answer, whatever its status', async () => {
    const answers = await Promise.all([
      api.request('GET', '/account', { key: account.key }),
      api.request('GET', '/account'),
      api.request('GET', '/nowhere'),
      api.request('DELETE', '/account'),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 401, 404, 405]);
    for (const answer of answers) expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    for (const answer of answers.slice(1)) expect(answer.error().message).not.toBe('');
  });
});

describe('a path', () => {
  it.each(['/nowhere', '/outbound/calls/', '/Outbound/Calls', '/calls/1', '//api/v2/account', '//docs/nowhere'])(
    '404 not_found: %s',
    async (path) => {
      const answer = await api.request('GET', path, { key: account.key });
      expect([answer.status, answer.error().code]).toEqual([404, 'not_found']);
    },
  );

  it.each<[string, string, string]>([
    ['PUT', '/outbound/calls', 'GET, HEAD, POST'],
    ['DELETE', `/outbound/calls/${randomUUID()}`, 'GET, HEAD, PATCH'],
    ['GET', `/outbound/calls/${randomUUID()}/end`, 'POST'],
    ['POST', `/calls/${randomUUID()}/recording`, 'GET, HEAD'],
    ['POST', '/account', 'GET, HEAD'],
    ['OPTIONS', '/outbound/calls', 'GET, HEAD, POST'],
    ['POST', '//healthz', 'GET, HEAD'],
  ])('405 method_not_allowed: %s %s', async (method, path, allow) => {
    const answer = await api.request(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.error().code).toBe('method_not_allowed');
  });

  it('400 if it cannot be decoded', async () => {
    const headers = ['X-API-Key', account.key];
    const answer = await sendRaw(api.url, { path: '/api/v1/outbound/calls/%ZZ', headers });
    expect([answer.status, errorBodySchema.parse(JSON.parse(answer.text)).error.param]).toEqual([400, 'path']);
  });
});

it('every answer carries restrictive security headers and does not name the server software', async () => {
  for (const { headers } of [
    await api.request('GET', '/account', { key: account.key }),
    await api.request('GET', '/x'),
  ]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  }
});

it('a client that disconnects in the middle of its body affects no other client', async () => {
  const { hostname, port } = new URL(api.url);
  const { connect } = await import('node:net');
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/v1/outbound/calls HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"to_',
  );
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.destroy();
  expect((await api.request('GET', '/account', { key: account.key })).status).toBe(200);
});
