import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileBody, fileReaderOf } from './file-body.ts';
import { readJsonBody, RequestAborted } from './json-body.ts';

/** Reads a body once the client is gone, as after an admission that took longer than the client stayed. */
let readLate: (request: IncomingMessage) => Promise<unknown>;
let outcome: Promise<unknown>;
const server = createServer((request) => {
  const gone = new Promise((resolve) => request.once('close', resolve));
  outcome = gone.then(() => readLate(request).catch((error: unknown) => error));
  server.emit('taken');
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

const readFile = fileReaderOf(fileBody({ mediaType: 'text/csv', maxBytes: 100, read: (chunks) => buffer(chunks) }));
invariant(readFile, 'a file body has a reader');

it.each([
  ['JSON', 'application/json', readJsonBody],
  ['a file', 'text/csv', readFile],
])('a client that sends %s and disconnects before it is read is no defect', async (_, mediaType, read) => {
  readLate = read;
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  const client = connect(address.port, '127.0.0.1');
  const taken = once(server, 'taken');
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${mediaType}\r\nContent-Length: 2\r\n\r\n{}`);
  await taken;
  client.destroy();
  expect(await outcome).toBeInstanceOf(RequestAborted);
});
