import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../server.ts';
import { takeOwnTime } from './slow-uploads.ts';

const LIMITS = { headersMs: 100, requestMs: 100, checkEveryMs: 20, keepAliveMs: 1_000 };

/** Connects to a server of short limits that answers 200 at the end of a body. `/slow` takes its own time. */
async function openServer(silenceMs: number): Promise<() => Socket> {
  const server = await listen(
    (request, response) => {
      const end = request.url === '/slow' ? takeOwnTime(request, silenceMs) : () => undefined;
      request.resume().once('end', () => {
        end();
        response.end('received');
      });
    },
    {
      host: '127.0.0.1',
      port: 0,
      clock: fakeClock(),
      logger: createLogger({ name: 'test', level: 'silent' }),
      limits: LIMITS,
    },
  );
  onTestFinished(() => server.close(0));
  return () => {
    const connection = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void connection.destroy());
    return connection;
  };
}

const begin = (connection: Socket, path: string) =>
  connection.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\na`);
const dataOf = async (connection: Socket) => String((await once(connection, 'data'))[0]);

it('an upload goes on beyond the limit of other requests, which are answered 408', async () => {
  const open = await openServer(10_000);
  const [upload, other] = [open(), open()];
  begin(upload, '/slow');
  await once(upload, 'connect');
  begin(other, '/');
  expect(await dataOf(other)).toContain('408 Request Timeout');
  upload.write('bcd');
  expect(await dataOf(upload)).toContain('200 OK');
});

it('an upload ends when no byte arrives for a while', async () => {
  const upload = (await openServer(150))();
  begin(upload, '/slow');
  const [hadError] = await once(upload, 'close');
  expect([hadError, upload.bytesRead]).toEqual([false, 0]);
});
