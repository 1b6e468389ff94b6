import { errorBodySchema } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/open-api.ts';
import { openConnection, parseAnswer } from '../../test/raw-connection.ts';
import { listen } from '../server.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

/** Sends the text unchanged, and returns the one answer, after which the server closed the connection. */
async function answerTo(text: string, url = api.url) {
  const connection = await openConnection(url);
  connection.send(text);
  const { status, headers, body } = parseAnswer(await connection.closed());
  const { error } = errorBodySchema.parse(JSON.parse(body));
  expect(error.request_id).toBe(headers.get('x-request-id'));
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('connection')).toBe('close');
  return { status, headers, error };
}

const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n';
const post = `POST /api/v1/outbound/calls HTTP/1.1\r\nHost: x\r\n`;

describe('an invalid HTTP/1.1 request is answered in JSON, with a request id and what is wrong:', () => {
  it.each<[string, string, number, string, string | undefined]>([
    ['noise', '\u0016\u0003\u0001 noise\r\n\r\n', 400, 'invalid_request', 'method'],
    ['an unknown method', 'CALL /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request', 'method'],
    ['a path with a space', 'GET /he althz HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request', 'version'],
    ['another version', 'GET /healthz HTTP/3.7\r\nHost: x\r\n\r\n', 400, 'invalid_request', 'version'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request', 'version'],
    ['a broken header', `${get}Bad Name: 1\r\n\r\n`, 400, 'invalid_request', 'headers'],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'invalid_request', 'Content-Length'],
    ['an invalid length', `${post}Content-Length: -1\r\n\r\n`, 400, 'invalid_request', 'Content-Length'],
    [
      'two framings',
      `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'invalid_request',
      'Transfer-Encoding',
    ],
    ['another framing', `${post}Transfer-Encoding: gzip\r\n\r\n`, 400, 'invalid_request', 'Transfer-Encoding'],
    ['headers of 20 KiB', `${get}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large', undefined],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'invalid_request', 'Host'],
    ['two Hosts', `${get}Host: y\r\n\r\n`, 400, 'invalid_request', 'Host'],
    ['an unknown expectation', `${get}Expect: the-worst\r\n\r\n`, 417, 'expectation_failed', 'Expect'],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed', 'method'],
  ])('%s', async (_what, text, status, code, param) => {
    const answer = await answerTo(text);
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([status, code, param]);
    if (status === 405) expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH, POST, PUT');
  });

  it('a body with broken chunks, even while the key is looked up', async () => {
    const { key } = await api.account();
    const answer = await answerTo(
      `${post}X-Request-Id: mine\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`,
    );
    expect([answer.status, answer.error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request', param: 'body', request_id: 'mine' }),
    ]);
    expect((await api.request('GET', '/account', { key })).status).toBe(200);
  });
});

it('a complete request is answered before the unreadable one that follows it', async () => {
  const connection = await openConnection(api.url);
  connection.send(`${get}\r\nnoise\r\n\r\n`);
  const text = await connection.closed();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

it('HTTP/1.0 does not require Host', async () => {
  const connection = await openConnection(api.url);
  connection.send('GET /healthz HTTP/1.0\r\n\r\n');
  expect(parseAnswer(await connection.closed()).status).toBe(200);
});

it('an offered upgrade is ignored and the request is answered', async () => {
  const connection = await openConnection(api.url);
  connection.send(`${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await expect.poll(() => parseAnswer(connection.received()).status).toBe(200);
  connection.hangUp();
});

describe('a client that sends too slowly', () => {
  const limits = { headersMs: 200, requestMs: 400, checkEveryMs: 20, keepAliveMs: 60_000 };
  const options = {
    host: '127.0.0.1',
    port: 0,
    limits,
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  };

  it.each([
    ['its head', 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
    ['its body', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
  ])('%s receives 408, and its connection is closed', async (_what, beginning) => {
    const server = await listen(() => {}, options);
    const answer = await answerTo(beginning, server.url);
    expect([answer.status, answer.error.code]).toEqual([408, 'request_timeout']);
    await server.close(0);
  });

  it('nothing at all receives no answer: there is no request', async () => {
    const server = await listen(() => {}, options);
    const connection = await openConnection(server.url);
    expect(await connection.closed()).toBe('');
    await server.close(0);
  });
});

describe('an endless body', () => {
  it.each([
    ['401', ''],
    ['413', 'Content-Type: application/json\r\n'],
  ])('is not read forever after %s', async (status, headers) => {
    const { key } = await api.account();
    const connection = await openConnection(api.url);
    const credentials = status === '401' ? '' : `X-API-Key: ${key}\r\n`;
    connection.send(`${post}${credentials}${headers}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const sending = setInterval(() => connection.send(chunk), 5);
    const answer = parseAnswer(await connection.closed());
    clearInterval(sending);
    expect(String(answer.status)).toBe(status);
  });
});
