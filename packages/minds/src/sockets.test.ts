import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { fakeClock } from '@outdial/testkit';
import { deferred } from '@outdial/testkit/async';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
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
