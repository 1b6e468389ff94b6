import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { webhooks, type WebhookEvent } from '@outdial/sdk';
import { invariant } from '@outdial/kernel';
import { Webhook } from 'standardwebhooks';

/** A request as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A program of a customer that receives webhooks, and answers 204 unless the test says otherwise. */
export interface Receiver {
  readonly url: string;
  readonly requests: readonly Received[];
  status: number;
  /** The body of its answers. */
  answer: string;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const server = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push({ headers: request.headers, body: await text(request) });
    response.writeHead(receiver.status, { 'x-receiver': 'test' }).end(receiver.answer);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'a TCP server has an address');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/hooks`,
    requests,
    status: 204,
    answer: '',
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** The event of a request, whose signature both the SDK and the library of Standard Webhooks accept. */
export function verified({ headers, body }: Received, secret: string): WebhookEvent {
  const event = webhooks.verify(body, headers, secret);
  const signed = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  new Webhook(secret).verify(body, Object.fromEntries(signed));
  return event;
}
