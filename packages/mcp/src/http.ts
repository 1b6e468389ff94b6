import type { IncomingMessage } from 'node:http';
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer, type ServerDeps } from './server.ts';

export interface McpRequest extends ServerDeps {
  readonly message: IncomingMessage;
  /** The parsed body of the message. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Called for what a client did wrong in the protocol. */
  readonly onRejected: (error: Error) => void;
}

export interface McpAnswer {
  /** Resolves at once: a request for a tool is answered with a stream. */
  readonly response: Promise<Response>;
  /** Ends what is still at work. */
  close(): Promise<void>;
}

/**
 * Answers one POST of a client of either era. Everything belongs to this one request, so requests share nothing.
 *
 * The caller checks the key of the message before.
 */
export function answerMcp({ message, body, onRejected, ...deps }: McpRequest): McpAnswer {
  const gone = new AbortController();
  const handler = createMcpHandler(() => createServer(deps), {
    legacy: 'stateless',
    // The head of the answer does not wait for a tool.
    responseMode: 'sse',
    onerror: onRejected,
  });
  const { method = 'POST', url = '/', headers } = message;
  const incoming = { method, url, headers, [Symbol.asyncIterator]: () => message[Symbol.asyncIterator]() };
  return {
    response: toWebRequest(incoming, body, { signal: gone.signal }).then((request) =>
      handler.fetch(request, { parsedBody: body }),
    ),
    async close() {
      gone.abort();
      await handler.close();
    },
  };
}
