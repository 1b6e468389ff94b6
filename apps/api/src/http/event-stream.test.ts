import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { afterEach, expect, it } from 'vitest';
import { openEventStream, type EventStream } from './event-stream.ts';

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());

/** Everything the stream has emitted so far. */
const textOf = ({ body }: EventStream): string => String(body.read() ?? '');

it('sends the retry delay, then each event with its id, its type and its data on one line', () => {
  const stream = openEventStream(fakeClock());
  stream.send([
    { id: '7', type: 'queued', data: { text: 'two\nlines' } },
    { id: '9', type: 'ended', data: {} },
  ]);
  stream.end();
  expect(textOf(stream)).toBe(
    'retry: 2000\n\nid: 7\nevent: queued\ndata: {"text":"two\\nlines"}\n\nid: 9\nevent: ended\ndata: {}\n\n',
  );
});

it('sends a keep-alive every 15 seconds until it is closed', async () => {
  const clock = fakeClock();
  const stream = openEventStream(clock);
  textOf(stream);
  await clock.advance(14_999);
  expect(textOf(stream)).toBe('');
  await clock.advance(1);
  expect(textOf(stream)).toBe(': still here\n\n');
  await clock.advance(45_000);
  expect(textOf(stream)).toBe(': still here\n\n'.repeat(3));
  stream.body.destroy();
  await clock.advance(60_000);
  expect(clock.pendingTimers()).toBe(0);
});

it('sends nothing after its end, and nothing to a client that has gone', async () => {
  const ended = openEventStream(fakeClock());
  ended.end();
  ended.end();
  ended.send([{ id: '1', type: 'queued', data: {} }]);
  expect(textOf(ended)).toBe('retry: 2000\n\n');
  const gone = openEventStream(fakeClock());
  gone.body.destroy();
  await once(gone.body, 'close');
  gone.send([{ id: '1', type: 'queued', data: {} }]);
  gone.end();
  expect(gone.body.destroyed).toBe(true);
});

it('disconnects a client that does not read, having buffered little for it, and does not affect its neighbor', async () => {
  const streams: EventStream[] = [];
  server = createServer((_request, response) => {
    const stream = openEventStream(systemClock);
    streams.push(stream);
    pipeline(stream.body, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [lazy, eager] = [await connect(server), await connect(server)];
  const received = { bytes: 0 };
  eager.on('data', (chunk: Buffer) => (received.bytes += chunk.length));
  // Paused: unread bytes first fill the connection, then wait in the server.
  lazy.pause();
  lazy.on('error', () => undefined);
  const [toLazy, toEager] = streams;
  const event = { id: '1', type: 'queued', data: 'x'.repeat(16_384) };
  let [kept, sent] = [0, 0];
  const isLazyCutOff = () => toLazy?.body.destroyed ?? true;
  while (!isLazyCutOff()) {
    for (const stream of streams) stream.send([event]);
    sent += 1;
    kept = Math.max(kept, toLazy?.body.readableLength ?? 0);
    while (received.bytes < sent * event.data.length) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(kept).toBeLessThan(128 * 1_024);
  expect(toEager?.body.destroyed).toBe(false);
});

async function connect(server: Server): Promise<IncomingMessage> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
  const request = get({ host: '127.0.0.1', port: address.port });
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('the server answers');
  return response;
}
