import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A request to `POST /v1/chat/completions` (OpenAI API reference). Unknown fields are refused, as there. */
const requestSchema = z.strictObject({
  model: z.string(),
  messages: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  temperature: z.number().optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string(),
          strict: z.literal(true),
          schema: z.looseObject({ additionalProperties: z.literal(false), required: z.array(z.string()) }),
        }),
      }),
    ])
    .optional(),
});
export type ChatRequest = z.output<typeof requestSchema>;

export interface ChatReply {
  readonly status?: number;
  /** The message's content. */
  readonly content?: string;
  /** Instead of a completion. */
  readonly body?: string;
}

export interface ChatServer {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  readonly keys: readonly (string | undefined)[];
  close(): Promise<void>;
}

/**
 * A server of chat completions that refuses what OpenAI refuses. @param reply may wait: the response comes once it has
 * settled
 */
export async function startChatServer(
  reply: (request: ChatRequest, nth: number) => ChatReply | Promise<ChatReply>,
): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      keys.push(request.headers.authorization);
      const parsed = requestSchema.safeParse(JSON.parse(text));
      if (request.url !== '/v1/chat/completions' || !parsed.success) {
        return answer(400, JSON.stringify({ error: { message: parsed.error?.message ?? 'no such path' } }));
      }
      requests.push(parsed.data);
      const { status = 200, content = '', body } = await reply(parsed.data, requests.length);
      return answer(status, body ?? JSON.stringify(completionOf(content)));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server)}/v1`, requests, keys, close: () => closed(server) };
}

function portOf(server: Server): number {
  // A server on a port has an address with one.
  const address = server.address() satisfies AddressInfo | string | null;
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** 1,000 tokens in, of which 200 were cached, and 50 out. */
function completionOf(content: string) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_780_000_000,
    model: 'gpt-5-mini',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: {
      prompt_tokens: 1_000,
      completion_tokens: 50,
      total_tokens: 1_050,
      prompt_tokens_details: { cached_tokens: 200 },
    },
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
