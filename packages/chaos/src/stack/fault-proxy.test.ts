import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts';

let server: Server;
let received: string;
let proxy: FaultProxy;
let client: Socket;
let answered: string;

/** Answers every request with its text in capitals. */
beforeEach(async () => {
  received = '';
  answered = '';
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      socket.write(chunk.toString().toUpperCase());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await openFaultProxy({ host: '127.0.0.1', port: portOf(server) });
  client = await join();
});
afterEach(async () => {
  client.destroy();
  await proxy.close();
  server.close();
  await once(server, 'close');
});

function portOf(listening: Server): number {
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return address.port;
}

async function join(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: proxy.port });
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (answered += chunk.toString()));
  await once(socket, 'connect');
  return socket;
}

/** A reset first emits an error, which `once` would throw. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('close', () => resolve()));
}

const expectHeard = (text: string) => expect.poll(() => answered).toBe(text);

test('undisturbed bytes pass both ways', async () => {
  client.write('hello');
  await expectHeard('HELLO');
});

test('a caught request has not arrived; once released, it arrives with everything after it', async () => {
  const trap = proxy.trap({ text: 'commit', at: 'request' });
  client.write('begin;');
  await expectHeard('BEGIN;');
  client.write('commit;');
  const caught = await trap.caught;
  client.write('more;');
  expect(received).toBe('begin;');
  caught.release();
  await expectHeard('BEGIN;COMMIT;MORE;');
});

test('a text that spans two chunks is recognized', async () => {
  const trap = proxy.trap({ text: 'commit', at: 'request' });
  client.write('com');
  await expectHeard('COM');
  client.write('mit;');
  await trap.caught;
  expect(received).toBe('com');
});

test('a caught reply belongs to a request that has arrived; once swallowed, it never arrives', async () => {
  const trap = proxy.trap({ text: 'commit', at: 'reply' });
  client.write('commit;');
  const caught = await trap.caught;
  expect(received).toBe('commit;');
  caught.swallow();
  client.write('again;');
  await expect.poll(() => received).toBe('commit;again;');
  expect(answered).toBe('');
});

test('a caught and cut request never arrives, and both sides lose the connection', async () => {
  const trap = proxy.trap({ text: 'commit', at: 'request' });
  client.write('commit;');
  const closed = closeOf(client);
  (await trap.caught).cut();
  await closed;
  expect(received).toBe('');
});

test('a request outlives its sender while it is held', async () => {
  const trap = proxy.trap({ text: 'commit', at: 'request' });
  client.write('commit;');
  const caught = await trap.caught;
  const closed = closeOf(client);
  client.destroy();
  await closed;
  caught.release();
  await expect.poll(() => received).toBe('commit;');
});

test('a trap catches once', async () => {
  const trap = proxy.trap({ text: 'commit', at: 'request' });
  client.write('commit;');
  (await trap.caught).release();
  await expectHeard('COMMIT;');
  client.write('commit;');
  await expectHeard('COMMIT;COMMIT;');
});

test('silence holds everything back until heal', async () => {
  proxy.silence();
  client.write('one;');
  const other = await join();
  other.write('two;');
  await new Promise((resolve) => setImmediate(resolve));
  expect(received).toBe('');
  proxy.heal();
  await expect.poll(() => received.length).toBe('one;two;'.length);
  other.destroy();
});

test('refuse closes every connection and accepts none until heal', async () => {
  const closed = closeOf(client);
  proxy.refuse();
  await closed;
  const refused = connect({ host: '127.0.0.1', port: proxy.port });
  refused.on('error', () => undefined);
  await closeOf(refused);
  proxy.heal();
  client = await join();
  client.write('hello');
  await expectHeard('HELLO');
});

test('bytes stay in order when a delay is lifted', async () => {
  proxy.delay(50);
  client.write('a');
  await new Promise((resolve) => setImmediate(resolve));
  proxy.heal();
  client.write('b');
  await expectHeard('AB');
});

test('bytes stay in order while delays come and go', async () => {
  client.setNoDelay();
  const letters = Array.from({ length: 600 }, (_, index) => String.fromCharCode(97 + (index % 26)));
  for (const [index, character] of letters.entries()) {
    proxy.delay(index % 4);
    client.write(character);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expectHeard(letters.join('').toUpperCase());
});

test('a trap does not match bytes that passed before it was set', async () => {
  proxy.trap({ text: 'rollback', at: 'request' });
  client.write('commit;');
  await expectHeard('COMMIT;');
  proxy.trap({ text: 'commit', at: 'request' });
  client.write('more;');
  await expectHeard('COMMIT;MORE;');
});
