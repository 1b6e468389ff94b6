import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { fakeClock, LOCALHOST_IDENTITY } from '@outdial/testkit';
import { deferred } from '@outdial/testkit/async';
import { afterEach, describe, expect, test } from 'vitest';
import { createEgressClient, type EgressRequest } from './egress-client.ts';
import { EgressError } from './egress-error.ts';
import { envEgressAllow } from './env.ts';
import type { ResolveName } from './names/name-resolver.ts';
import type { EgressOptions } from './routes.ts';

const LOOPBACK = envEgressAllow.parse('127.0.0.0/8,::1');
const PUBLIC = { address: '198.41.0.4', family: 4 };
const PRIVATE = { address: '127.0.0.1', family: 4 };
const NOT_FOUND = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function open(
  options: Partial<EgressOptions> = {},
  trust: Pick<EgressOptions, 'ca'> = { ca: LOCALHOST_IDENTITY.authority },
) {
  const client = createEgressClient({ allowed: LOOPBACK, proxy: null, ...trust, ...options });
  cleanups.push(() => client.close());
  return {
    ...client,
    get: (url: string, changes: Partial<EgressRequest> = {}) =>
      client.request({
        scope: 'allow_list',
        method: 'GET',
        url,
        timeoutMs: 30_000,
        maxResponseBytes: 1_000,
        ...changes,
      }),
  };
}

async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const serve = (handler: RequestListener) => listen(createHttpServer(handler));
const serveTls = (handler: RequestListener) =>
  listen(createHttpsServer({ key: LOCALHOST_IDENTITY.key, cert: LOCALHOST_IDENTITY.certificate }, handler));

async function startProxy() {
  const tunnels: string[] = [];
  const server = createHttpServer();
  const target = await serveTls((_request, response) => response.end('through the tunnel'));
  server.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    const onward = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { proxy: new URL(`http://127.0.0.1:${await listen(server)}`), tunnels };
}

/** A name server that always gives the same answer. */
function answer(addresses: LookupAddress[]): ResolveName {
  return (_name, _options, callback) => callback(null, addresses);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  return error instanceof EgressError ? error.code : String(error);
}

describe('a request', () => {
  test('returns status, headers and body, over TLS too', async () => {
    const bodies: string[] = [];
    const handler: RequestListener = (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.writeHead(201, { 'X-Answer': 'yes' }).end('made'));
    };
    const client = open();
    for (const url of [`http://127.0.0.1:${await serve(handler)}/`, `https://localhost:${await serveTls(handler)}/`]) {
      const response = await client.get(url, { method: 'POST', body: '{"a":1}' });
      expect(response).toMatchObject({ status: 201, truncated: false });
      expect(response.headers['x-answer']).toBe('yes');
      expect(response.body.toString()).toBe('made');
    }
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  test('does not follow a redirect', async () => {
    const paths: string[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(302, { location: '/secret' }).end();
    });
    expect(await open().get(`http://127.0.0.1:${port}/start`)).toMatchObject({ status: 302 });
    expect(paths).toEqual(['/start']);
  });

  test('cuts an endless response and closes its connection', async () => {
    const closed = deferred<void>();
    const port = await serve((request, response) => {
      request.socket.on('close', () => closed.resolve());
      const write = () => {
        while (response.write('x'.repeat(4_096)));
      };
      response.on('drain', write);
      write();
    });
    const response = await open().get(`http://127.0.0.1:${port}/`);
    expect(response).toMatchObject({ truncated: true });
    expect(response.body).toHaveLength(1_000);
    await closed.promise;
  });

  test('ends at its deadline, in the headers or in the body', async () => {
    for (const handler of [
      () => undefined,
      (_request: IncomingMessage, response: { write: (text: string) => void }) => response.write('a'),
    ]) {
      const arrived = deferred<void>();
      const port = await serve((request, response) => {
        handler(request, response);
        arrived.resolve();
      });
      const clock = fakeClock();
      const answer = codeOf(open({ clock }).get(`http://127.0.0.1:${port}/`, { timeoutMs: 10_000 }));
      await arrived.promise;
      await clock.advance(10_000);
      expect(await answer).toBe('timed_out');
    }
  });

  test('ends when its caller gives up', async () => {
    const controller = new AbortController();
    const port = await serve(() => controller.abort());
    expect(await codeOf(open().get(`http://127.0.0.1:${port}/`, { signal: controller.signal }))).toBe('aborted');
  });
});

describe('the guard', () => {
  test('refuses each form of a private address without a connection', async () => {
    let connections = 0;
    const server = createHttpServer((_request, response) => response.end());
    server.on('connection', () => (connections += 1));
    const port = await listen(server);
    const client = open();
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
      for (const scheme of ['http', 'https']) {
        expect(await codeOf(client.get(`${scheme}://${host}:${port}/`, { scope: 'internet' }))).toBe('url_not_allowed');
      }
    }
    expect(connections).toBe(0);
  });

  test('refuses a name with a private address, alone or among public ones', async () => {
    for (const addresses of [[PRIVATE], [PUBLIC, PRIVATE]]) {
      const client = open({ resolve: answer(addresses) });
      const response = client.get('https://rebind.example.com/', { scope: 'internet' });
      expect(await codeOf(response)).toBe('address_not_allowed');
    }
  });

  test('connects to the address that it checked, and checks each new connection again', async () => {
    const port = await serve((_request, response) => response.setHeader('connection', 'close').end('checked'));
    let lookUps = 0;
    // An attacker's name server answers with an allowed address first, and with a private one from then on.
    const client = open({
      resolve: (_name, _options, callback) =>
        callback(null, [lookUps++ === 0 ? PRIVATE : { address: '10.0.0.1', family: 4 }]),
    });
    const url = `http://rebind.example.com:${port}/`;
    expect((await client.get(url)).body.toString()).toBe('checked');
    expect(lookUps).toBe(1);
    expect(await codeOf(client.get(url))).toBe('address_not_allowed');
    expect(lookUps).toBe(2);
  });

  test('keeps plain HTTP and low ports to the networks of the allow list', async () => {
    const client = open({ resolve: answer([PUBLIC]) });
    expect(await codeOf(client.get('http://name.example.com/'))).toBe('address_not_allowed');
    expect(await codeOf(client.get('https://name.example.com:25/'))).toBe('address_not_allowed');
  });

  test('an error does not reveal the address behind a name', async () => {
    const client = open({ resolve: answer([{ address: '10.1.2.3', family: 4 }]) });
    const response = client.get('https://intranet.example.com/', { scope: 'internet' });
    await expect(response).rejects.toThrow(/^(?!.*10\.1\.2\.3).*$/);
  });
});

describe('an error', () => {
  test('says whether the server can have seen the request', async () => {
    const refusing = await listen(createTcpServer());
    await cleanups.pop()?.();
    const dropping = await listen(createTcpServer((socket) => socket.on('data', () => socket.destroy())));
    const babbling = await listen(createTcpServer((socket) => socket.resume().end('SIP/2.0 200 OK\r\n\r\n')));
    const untrusted = await serveTls((_request, response) => response.end());
    const client = open({}, {});
    const cases = [
      [`http://127.0.0.1:${refusing}/`, 'connect_failed', true],
      [`https://localhost:${untrusted}/`, 'tls_failed', true],
      [`http://127.0.0.1:${dropping}/`, 'connection_lost', false],
      [`http://127.0.0.1:${babbling}/`, 'invalid_response', false],
    ] as const;
    for (const [url, code, neverSent] of cases) {
      const error: unknown = await client.get(url).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code, neverSent });
    }
    const nameless = open({ resolve: (_name, _options, callback) => callback(NOT_FOUND, []) });
    expect(await codeOf(nameless.get('https://nowhere.example.com/'))).toBe('name_not_found');
  });
});

describe('with a proxy', () => {
  test('that never opens its tunnel, a request still ends by its deadline and by its signal', async () => {
    const silent = createHttpServer();
    const proxy = new URL(`http://127.0.0.1:${await listen(silent)}`);
    silent.on('connect', (_request, socket) => {
      socket.on('error', () => undefined);
      cleanups.push(async () => void socket.destroy());
    });
    const client = open({ proxy });
    const request = {
      scope: 'internet',
      method: 'GET',
      url: 'https://models.example.com/',
      maxResponseBytes: 1,
    } as const;
    await expect(client.request({ ...request, timeoutMs: 50 })).rejects.toMatchObject({ code: 'timed_out' });
    const gone = new AbortController();
    const waiting = client.request({ ...request, timeoutMs: 60_000, signal: gone.signal });
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  });

  test('sends requests through it, and leaves names to it', async () => {
    const { proxy, tunnels } = await startProxy();
    const response = await open({ proxy, resolve: (_name, _options, callback) => callback(NOT_FOUND, []) }).get(
      'https://localhost:8443/',
    );
    expect(response.body.toString()).toBe('through the tunnel');
    expect(tunnels).toEqual(['localhost:8443']);
  });

  test('still refuses private addresses, and reaches those of the allow list directly', async () => {
    const { proxy, tunnels } = await startProxy();
    const client = open({ proxy });
    expect(await codeOf(client.get('https://10.0.0.1/', { scope: 'internet' }))).toBe('url_not_allowed');
    expect(await codeOf(client.get('http://name.example.com/'))).toBe('url_not_allowed');
    const port = await serve((_request, response) => response.end('direct'));
    expect((await client.get(`http://127.0.0.1:${port}/`)).body.toString()).toBe('direct');
    expect(tunnels).toEqual([]);
  });
});
