import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { invariant } from '@outdial/kernel';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A customer's program that takes webhooks, until the test ends. */
export async function openReceiver() {
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(200).end('Thank you.');
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the receiver listens on a port');
  return { url: `http://127.0.0.1:${address.port}/hooks`, received };
}
