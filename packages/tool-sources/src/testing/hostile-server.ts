import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, bodyOf, listening, type Listening } from './listening.ts';

/** What a server does to a request instead of what the protocol wants. */
export type Mischief =
  | { readonly kind: 'hangs' }
  | { readonly kind: 'sends'; readonly bytes: number }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string; readonly contentType?: string }
  /** Events without end, and without a result. */
  | { readonly kind: 'trickles' }
  /** A stream that ends before the result. */
  | { readonly kind: 'breaks_off' }
  /** Asks for something at every event. */
  | { readonly kind: 'asks_without_end' }
  | { readonly kind: 'result'; readonly result: unknown };

export interface HostileServer extends Listening {
  /** The methods of the messages. */
  readonly received: readonly string[];
}

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
});
type Id = z.output<typeof messageSchema>['id'];

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1' },
};

/** Does mischief to the messages of the method `on`, or to `everything`. Its handshake is right. */
export async function startHostileServer(on: string, mischief: Mischief): Promise<HostileServer> {
  const received: string[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const { id, method = 'answer' } = messageSchema.parse(JSON.parse(text === '' ? '{}' : text));
    received.push(method);
    if (method === on || on === 'everything') return misbehave(response, id, mischief);
    if (method === 'initialize') return answerJson(response, 200, { jsonrpc: '2.0', id, result: HANDSHAKE });
    if (id === undefined || method === 'answer') return void response.writeHead(202).end();
    answerJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
  }
  const server = await listening((request, response) => void answer(request, response));
  return { ...server, received };
}

function misbehave(response: ServerResponse, id: Id, mischief: Mischief): void {
  switch (mischief.kind) {
    case 'hangs':
      return;
    case 'sends':
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: { content: [{ type: 'text', text: 'x'.repeat(mischief.bytes) }] },
        }),
      );
    case 'status':
      return void response.writeHead(mischief.status, { ...mischief.headers }).end('no');
    case 'text':
      return void response
        .writeHead(200, { 'content-type': mischief.contentType ?? 'application/json' })
        .end(mischief.text);
    case 'trickles': {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': still here\n\n'), 20);
      return void response.on('close', () => clearInterval(timer));
    }
    case 'breaks_off':
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    case 'asks_without_end': {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let nth = 0;
      const ask = () =>
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: `ask-${(nth += 1)}`, method: 'ping' })}\n\n`);
      const timer = setInterval(ask, 1);
      return void response.on('close', () => clearInterval(timer));
    }
    case 'result':
      return answerJson(response, 200, { jsonrpc: '2.0', id, result: mischief.result });
    default:
      return mischief satisfies never;
  }
}
