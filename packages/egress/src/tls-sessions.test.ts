import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { LOCALHOST_IDENTITY } from '@outdial/testkit';
import { afterEach, expect, test } from 'vitest';
import { createEgressFetch } from './egress-fetch.ts';
import { createEgressSockets } from './egress-sockets.ts';
import { envEgressAllow } from './env.ts';
import type { EgressOptions } from './routes.ts';
import { TlsSessions } from './tls-sessions.ts';

const identity = { key: LOCALHOST_IDENTITY.key, cert: LOCALHOST_IDENTITY.certificate };
const options: EgressOptions = {
  allowed: envEgressAllow.parse('127.0.0.0/8,::1'),
  proxy: null,
  ca: LOCALHOST_IDENTITY.authority,
  resolve: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
};
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => open.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A server that says of each connection whether it resumed a session. */
const listenTls = (tls: TlsOptions = {}) =>
  listen(
    createTlsServer({ ...identity, ...tls }, (socket) => {
      socket.on('error', () => undefined).end(socket.isSessionReused() ? 'resumed' : 'new');
    }),
  );

async function greetingOf(connecting: Promise<Socket>): Promise<string> {
  const chunks: Buffer[] = [];
  const socket = (await connecting).on('data', (chunk: Buffer) => chunks.push(chunk));
  // Sessions may follow the first bytes.
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'the next socket to a server resumes its session, with %s',
  async (version) => {
    const port = await listenTls({ minVersion: version, maxVersion: version });
    const sockets = createEgressSockets(options);
    const greeting = () => greetingOf(sockets.connect(`wss://localhost:${port}/`, 'allow_list'));
    expect([await greeting(), await greeting(), await greeting()]).toEqual(['new', 'resumed', 'resumed']);
  },
);

test('a session serves no other name, port or scope', async () => {
  const [port, otherPort] = [await listenTls(), await listenTls()];
  const sockets = createEgressSockets(options);
  const url = `wss://localhost:${port}/`;
  expect(await greetingOf(sockets.connect(url, 'allow_list'))).toBe('new');
  expect(await greetingOf(sockets.connect(`wss://localhost:${otherPort}/`, 'allow_list'))).toBe('new');
  // The certificate does not name this host, which a resumed session would hide.
  await expect(sockets.connect(`wss://other.example.com:${port}/`, 'allow_list')).rejects.toMatchObject({
    code: 'tls_failed',
  });
  expect(await greetingOf(createEgressSockets(options).connect(url, 'allow_list'))).toBe('new');
  expect(await greetingOf(sockets.connect(url, 'allow_list'))).toBe('resumed');
});

test('a session that its server forgot costs a full handshake and nothing else', async () => {
  const server = createTlsServer({ ...identity, ticketKeys: Buffer.alloc(48, 1) }, (socket) => {
    socket.on('error', () => undefined).end(socket.isSessionReused() ? 'resumed' : 'new');
  });
  const port = await listen(server);
  const sockets = createEgressSockets(options);
  const greeting = () => greetingOf(sockets.connect(`wss://localhost:${port}/`, 'allow_list'));
  expect(await greeting()).toBe('new');
  server.setTicketKeys(Buffer.alloc(48, 2));
  expect([await greeting(), await greeting()]).toEqual(['new', 'resumed']);
});

test('a tunnel through a proxy resumes the session with the server behind it', async () => {
  const port = await listenTls();
  const proxyServer = createHttpServer().on('connect', (_request, socket: Socket) => {
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const proxy = new URL(`http://127.0.0.1:${await listen(proxyServer)}`);
  const sockets = createEgressSockets({ ...options, proxy });
  const greeting = () => greetingOf(sockets.connect('wss://localhost/', 'allow_list'));
  expect([await greeting(), await greeting()]).toEqual(['new', 'resumed']);
});

test('a request over a new connection resumes the session of the one before', async () => {
  const resumed: boolean[] = [];
  const server = createHttpsServer(identity, (_request, response) => {
    response.writeHead(200, { connection: 'close' }).end('ok');
  }).on('secureConnection', (socket) => resumed.push(socket.isSessionReused()));
  const port = await listen(server);
  const streams = createEgressFetch(options);
  cleanups.push(() => streams.close());
  const ask = async () => (await streams.fetch('allow_list')(`https://localhost:${port}/`)).text();
  expect([await ask(), await ask()]).toEqual(['ok', 'ok']);
  expect(resumed).toEqual([false, true]);
});

const server = (nth: number) => ({ host: `host-${nth}.example.com`, port: 443 });

test('the sessions that are kept are bounded, and the oldest goes first', () => {
  const sessions = new TlsSessions();

  for (let nth = 0; nth <= 256; nth += 1) {
    sessions.keep(server(nth), { on: (_event, listener) => listener(Buffer.from([nth % 256])) });
  }
  expect(sessions.of(server(0))).toBeUndefined();
  expect(sessions.of(server(1))).toEqual(Buffer.from([1]));
  expect(sessions.of(server(256))).toEqual(Buffer.from([0]));
});
