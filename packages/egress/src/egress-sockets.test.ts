import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { LOCALHOST_IDENTITY } from '@outdial/testkit';
import { afterEach, expect, test } from 'vitest';
import { EgressError } from './egress-error.ts';
import { createEgressSockets } from './egress-sockets.ts';
import { envEgressAllow } from './env.ts';
import type { EgressOptions } from './routes.ts';

const PUBLIC = { address: '198.41.0.4', family: 4 };
const PRIVATE = { address: '127.0.0.1', family: 4 };
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function open(options: Partial<EgressOptions> = {}) {
  const allowed = envEgressAllow.parse('127.0.0.0/8,::1');
  return createEgressSockets({ allowed, proxy: null, ca: LOCALHOST_IDENTITY.authority, ...options });
}

async function listen(server: Server): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, connections: () => connections };
}

const greeting = (socket: Socket) => void socket.on('error', () => undefined).write('hello');
const identity = { key: LOCALHOST_IDENTITY.key, cert: LOCALHOST_IDENTITY.certificate };

async function firstBytes(connecting: Promise<Socket>): Promise<string> {
  const socket = await connecting;
  cleanups.push(async () => socket.destroy());
  const [bytes]: Buffer[] = await once(socket, 'data');
  return bytes?.toString() ?? '';
}

async function codeOf(connecting: Promise<Socket>): Promise<string> {
  const error: unknown = await connecting.catch((reason: unknown) => reason);
  return error instanceof EgressError ? error.code : 'no error';
}

test('a socket leads to the networks of the allow list, with TLS if its URL asks for it', async () => {
  const plain = await listen(createServer(greeting));
  const secure = await listen(createTlsServer(identity, greeting));
  expect(await firstBytes(open().connect(`ws://127.0.0.1:${plain.port}/listen?a=1`, 'allow_list'))).toBe('hello');
  expect(await firstBytes(open().connect(`wss://localhost:${secure.port}/`, 'allow_list'))).toBe('hello');
});

test('the guard refuses each form of a private address without a connection', async () => {
  const { port, connections } = await listen(createServer(greeting));
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', 'localhost']) {
    for (const scheme of ['ws', 'wss']) {
      expect(await codeOf(open().connect(`${scheme}://${host}:${port}/`, 'internet'))).toBe('url_not_allowed');
    }
  }
  for (const host of ['10.0.0.1', '[::ffff:10.0.0.1]']) {
    expect(await codeOf(open().connect(`wss://${host}/`, 'allow_list'))).toBe('url_not_allowed');
  }
  expect(connections()).toBe(0);
});

test('the guard refuses a name with a private address, alone, among public ones or in a second answer', async () => {
  for (const addresses of [[PRIVATE], [PUBLIC, PRIVATE]]) {
    const sockets = open({ resolve: (_name, _options, callback) => callback(null, addresses) });
    expect(await codeOf(sockets.connect('wss://rebind.example.com/', 'internet'))).toBe('address_not_allowed');
  }
  const { port, connections } = await listen(createServer(greeting));
  let lookUps = 0;
  const sockets = open({
    resolve: (_name, _options, callback) =>
      callback(null, [lookUps++ === 0 ? PRIVATE : { address: '10.0.0.1', family: 4 }]),
  });
  const url = `ws://rebind.example.com:${port}/`;
  expect(await firstBytes(sockets.connect(url, 'allow_list'))).toBe('hello');
  expect(await codeOf(sockets.connect(url, 'allow_list'))).toBe('address_not_allowed');
  expect(connections()).toBe(1);
});

test('with a proxy, a socket is tunneled, and one to the allow list is not', async () => {
  const secure = await listen(createTlsServer(identity, greeting));
  const plain = await listen(createServer(greeting));
  const tunnels: string[] = [];
  const server = createHttpServer().on('connect', (request, socket) => {
    tunnels.push(`${request.url ?? ''} ${request.headers['proxy-authorization'] ?? ''}`);
    if (request.url !== 'localhost:8443') {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const onward = connect(secure.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const proxy = new URL(`http://me:secret@127.0.0.1:${(await listen(server)).port}`);
  const sockets = open({ proxy });
  expect(await firstBytes(sockets.connect('wss://localhost:8443/', 'allow_list'))).toBe('hello');
  expect(await codeOf(sockets.connect('wss://models.example.com/', 'internet'))).toBe('connect_failed');
  expect(await codeOf(sockets.connect('wss://10.0.0.1/', 'internet'))).toBe('url_not_allowed');
  expect(await firstBytes(sockets.connect(`ws://127.0.0.1:${plain.port}/`, 'allow_list'))).toBe('hello');
  const authorization = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  expect(tunnels).toEqual([`localhost:8443 ${authorization}`, `models.example.com:443 ${authorization}`]);
});
