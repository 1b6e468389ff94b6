import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { forward } from './forward.ts';

const WEBHOOK = {
  headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1', 'user-agent': 'Outdial-Webhooks/1.2.3' },
  body: '{ "name": "Zoë" }',
};
const never = () => new AbortController().signal;

async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hooks?a=1`);
}

it('a request has the headers and the bytes that were signed, and no others', async () => {
  const seen: unknown[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: await text(request) });
    response.writeHead(500, { 'x-a': '1', 'set-cookie': 'b=2' }).end('No.');
  };
  const to = await serve((request, response) => void answer(request, response));
  const forwarded = await forward(to, WEBHOOK, { signal: never() });
  const own = { host: to.host, connection: expect.any(String), 'content-length': '18' };
  expect(seen).toEqual([
    { method: 'POST', url: '/hooks?a=1', headers: { ...WEBHOOK.headers, ...own }, body: WEBHOOK.body },
  ]);
  expect(forwarded).toMatchObject({ status: 500, error: null, response_headers: { 'x-a': '1' }, response_body: 'No.' });
  expect(forwarded.response_headers).not.toHaveProperty('set-cookie');
});

it('a redirect is an answer, and of a long response the beginning is reported', async () => {
  const to = await serve((_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/', 'x-long': 'x'.repeat(5_000) });
    response.end('x'.repeat(1_000_000));
  });
  const forwarded = await forward(to, WEBHOOK, { signal: never() });
  expect(forwarded.status).toBe(302);
  expect(forwarded.response_body).toHaveLength(2_048);
  expect(forwarded.response_headers['x-long']).toHaveLength(200);
});

it('without a response the report says why', async () => {
  const silent = await serve(() => undefined);
  const breaking = await serve((request) => request.socket.destroy());
  const errorOf = async (to: URL) => (await forward(to, WEBHOOK, { signal: never() })).error;
  expect((await forward(silent, WEBHOOK, { signal: never(), timeoutMs: 50 })).error).toBe('timeout');
  expect(await errorOf(breaking)).toBe('reset');
  expect(await errorOf(new URL('http://127.0.0.1:1/'))).toBe('connect');
  expect(await errorOf(new URL(breaking.href.replace('http:', 'https:')))).toMatch(/^(?:tls|reset)$/);
});

it('an interruption ends it with its reason', async () => {
  const stop = new AbortController();
  const to = await serve(() => stop.abort(new Error('interrupted')));
  await expect(forward(to, WEBHOOK, { signal: stop.signal })).rejects.toThrow('interrupted');
});
