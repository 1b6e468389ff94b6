import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { deferred } from '@outdial/testkit/async';
import { afterEach, expect, test } from 'vitest';
import { createEgressFetch } from './egress-fetch.ts';
import { envEgressAllow } from './env.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function serve(handler: RequestListener) {
  let connections = 0;
  const server = createServer(handler).on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, connections: () => connections };
}

function open() {
  const streams = createEgressFetch({
    allowed: envEgressAllow.parse('127.0.0.0/8'),
    proxy: null,
    maxConnectionsPerOrigin: 1,
  });
  cleanups.push(() => streams.close());
  return streams;
}

test('an answer is read while it comes', async () => {
  let finish: (() => void) | undefined;
  const { url } = await serve((request, response) => {
    response.write(`${request.method ?? ''} ${String(request.headers['x-key'])}`);
    finish = () => response.end('the rest');
  });
  const response = await open().fetch('allow_list')(url, { method: 'POST', headers: { 'x-key': 'k' }, body: '{}' });
  const parts: string[] = [];
  for await (const bytes of response.body ?? []) {
    parts.push(Buffer.from(bytes).toString());
    finish?.();
  }
  expect(parts).toEqual(['POST k', 'the rest']);
});

test('the next request uses the same connection', async () => {
  const { url, connections } = await serve((_request, response) => response.end('ok'));
  const fetch = open().fetch('allow_list');
  for (let count = 0; count < 3; count += 1) expect(await (await fetch(url)).text()).toBe('ok');
  expect(connections()).toBe(1);
});

test('a private address is refused without a connection, and a redirect is not followed', async () => {
  const paths: string[] = [];
  const { url, connections } = await serve((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(302, { location: '/secret' }).end();
  });
  await expect(open().fetch('internet')(url)).rejects.toMatchObject({ code: 'url_not_allowed', forbidden: true });
  expect(connections()).toBe(0);
  await expect(open().fetch('allow_list')(url)).rejects.toMatchObject({ code: 'redirected', forbidden: false });
  expect(paths).toEqual(['/']);
});

test('a request that its caller aborts ends with the reason', async () => {
  const controller = new AbortController();
  const { url } = await serve(() => controller.abort(new Error('given up')));
  await expect(open().fetch('allow_list')(url, { signal: controller.signal })).rejects.toThrow('given up');
});

/** Sends without end, and reports that the client is gone. */
async function serveWithoutEnd(status: number, piece: Buffer, headers: Readonly<Record<string, string>> = {}) {
  const isGone = deferred<void>();
  const { url } = await serve((_request, response) => {
    response.writeHead(status, headers);
    const send = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', send).on('close', () => isGone.resolve());
    send();
  });
  return { url, isGone: isGone.promise };
}

test('an answer without end fails once it is too long, and its connection is closed', async () => {
  const { url, isGone } = await serveWithoutEnd(200, Buffer.alloc(65_536, 'x'));
  const response = await open().fetch('allow_list')(url);
  await expect(response.text()).rejects.toMatchObject({ code: 'invalid_response' });
  await isGone;
});

test('a refusal without end is cut, and its connection is closed', async () => {
  const { url, isGone } = await serveWithoutEnd(500, Buffer.alloc(10_000, 'x'));
  const response = await open().fetch('allow_list')(url);
  expect(response.status).toBe(500);
  expect(await response.text()).toHaveLength(65_536);
  await isGone;
});

test('an answer that unpacks to more than it may be fails', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1_024 * 1_024)));
  });
  const response = await open().fetch('allow_list')(url);
  await expect(response.text()).rejects.toMatchObject({ code: 'invalid_response' });
});
