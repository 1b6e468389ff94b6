import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { invariant } from '@outdial/kernel';
import { z } from 'zod';

const bodySchema = z.object({
  type: z.string(),
  data: z.looseObject({
    event: z.object({ id: z.string(), type: z.string() }).optional(),
    call: z.looseObject({ id: z.string(), status: z.string() }).optional(),
  }),
});

/** A request that reached the receiver, whatever it answered. */
export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly parsed: z.output<typeof bodySchema>;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves once this many requests have come. */
  until(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

/** What a receiver does with a request. `index` counts from 0. */
export type Answer = (response: ServerResponse, index: number) => void;

const answerOk: Answer = (response) => void response.end('ok');

export interface ReceiverOptions {
  readonly answer?: Answer;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A program of a customer, on its own port. */
export async function startReceiver({ answer = answerOk, tls }: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = [];
  let waiters: { readonly count: number; readonly wake: () => void }[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const parsed = bodySchema.parse(JSON.parse(body));
    received.push({ id: String(request.headers['webhook-id']), headers: request.headers, body, parsed });
    answer(response, received.length - 1);
    for (const waiter of waiters) if (received.length >= waiter.count) waiter.wake();
    waiters = waiters.filter(({ count }) => received.length < count);
  }

  const listener: RequestListener = (request, response) => {
    void take(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'the receiver listens');
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}/hooks`,
    received,
    async until(count) {
      if (received.length < count) await new Promise<void>((wake) => waiters.push({ count, wake }));
      return received;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
