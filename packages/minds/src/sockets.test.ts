import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { fakeClock } from '@outdial/testkit';
import { deferred } from '@outdial/testkit/async';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { loopbackSockets } from '../test/loopback.ts';
import { createSockets, type SocketEnd } from './sockets.ts';

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

test('a provider that stays behind for three seconds is stalled, and one that catches up is not', async () => {
  const http = createHttpServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const sockets = new WebSocketServer({ server: http });
  const connected = deferred<Socket>();
  http.on('upgrade', (request) => connected.resolve(request.socket));
  cleanups.push(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
    http.close();
  });
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const clock = fakeClock();
  const opened = deferred<void>();
  const ended = deferred<SocketEnd>();
  let over = false;
  const socket = createSockets({ clock, egress: loopbackSockets(), scope: 'allow_list' })(
    { url: `ws://127.0.0.1:${port}/`, headers: {} },
    {
      opened: () => opened.resolve(),
      received: () => undefined,
      ended(end) {
        over = true;
        ended.resolve(end);
      },
    },
  );
  await opened.promise;
  (await connected.promise).pause();
  // Far more than the buffers of two kernels hold.
  for (let sent = 0; sent < 400; sent += 1) socket.send('x'.repeat(65_536));
  expect(over).toBe(false);
  await clock.advance(2_999);
  socket.send('x');
  expect(over).toBe(false);
  await clock.advance(1);
  socket.send('x');
  expect(await ended.promise).toEqual({ kind: 'stalled' });
});

test('an address that the scope does not permit is forbidden', async () => {
  const ended = deferred<SocketEnd>();
  createSockets({ clock: fakeClock(), egress: loopbackSockets(), scope: 'internet' })(
    { url: 'ws://127.0.0.1:9/', headers: {} },
    { opened: () => undefined, received: () => undefined, ended: ended.resolve },
  );
  expect(await ended.promise).toMatchObject({ kind: 'forbidden' });
});

/** A provider that does this once it is connected, and how its socket ends. */
async function endOf(
  act: (client: WebSocket) => void,
): Promise<{ readonly end: SocketEnd; readonly received: number }> {
  const http = createHttpServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', act);
  cleanups.push(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
    http.close();
  });
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const ended = deferred<SocketEnd>();
  let received = 0;
  createSockets({ clock: fakeClock(), egress: loopbackSockets(), scope: 'allow_list' })(
    { url: `ws://127.0.0.1:${port}/`, headers: {} },
    { opened: () => undefined, received: () => (received += 1), ended: ended.resolve },
  );
  return { end: await ended.promise, received };
}

test('a provider that sends more than a conversation has is cut off, by bytes and by messages', async () => {
  const large = 'x'.repeat(1_000_000);
  const ofBytes = await endOf((client) => {
    for (let sent = 0; sent < 20; sent += 1) client.send(large);
  });
  expect(ofBytes.end).toEqual({ kind: 'flooded' });
  expect(ofBytes.received).toBeLessThan(9);
  const ofMessages = await endOf((client) => {
    for (let sent = 0; sent < 50_000; sent += 1) client.send('{}');
  });
  expect(ofMessages.end).toEqual({ kind: 'flooded' });
});

test('ten minutes of sound at once are no flood', async () => {
  const delta = 'x'.repeat(10_000);
  const { end, received } = await endOf((client) => {
    for (let sent = 0; sent < 600; sent += 1) client.send(delta);
    client.close(1_000);
  });
  expect(end).toMatchObject({ kind: 'closed', code: 1_000 });
  expect(received).toBe(600);
});
