import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, bodyOf, listening, type Listening } from './listening.ts';

export interface McpServerOptions {
  readonly tools?: readonly Tool[];
  readonly call?: (
    name: string,
    given: unknown,
    headers: IncomingHttpHeaders,
  ) => CallToolResult | Promise<CallToolResult>;
  /** With a handshake and a session, or by the revision that has neither. Default: `sessions`. */
  readonly speaks?: 'sessions' | 'stateless';
  /** How requests are answered. Default: `sse`. */
  readonly answersWith?: 'sse' | 'json';
  /** Before it answers. */
  readonly delay?: (received: Received) => Promise<void> | undefined;
  /** True: it has answered by itself, in place of the server. */
  readonly before?: (received: Received, response: ServerResponse) => boolean;
}

export interface Received {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The method of the message. */
  readonly rpc: string | null;
}

export interface TestMcpServer extends Listening {
  readonly received: readonly Received[];
  /** The names of the tools that were called, in order. */
  readonly called: readonly string[];
  /** Of sessions that have not ended. */
  readonly sessions: number;
  /** From now on, the server lists these. */
  tools: readonly Tool[];
  /** As after a restart. */
  forgetSessions(): void;
}

export const FREE_SLOTS: Tool = {
  name: 'free_slots',
  description: 'Finds free appointments on a day.',
  inputSchema: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
};

const messageSchema = z.looseObject({ method: z.string().optional() });

function messageOf(request: IncomingMessage) {
  const { method = 'GET', url = '/', headers } = request;
  return { method, url, headers, [Symbol.asyncIterator]: () => request[Symbol.asyncIterator]() };
}

/** An MCP server over streamable HTTP, by the protocol's own library. */
export async function startMcpServer(options: McpServerOptions = {}): Promise<TestMcpServer> {
  const { call = () => ({ content: [{ type: 'text', text: 'nine' }] }), speaks = 'sessions' } = options;
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const received: Received[] = [];
  const called: string[] = [];
  const state = { tools: options.tools ?? [FREE_SLOTS] };

  function newServer(headers: () => IncomingHttpHeaders): McpServer {
    const mcp = new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    mcp.server.setRequestHandler('tools/list', () => ({ tools: [...state.tools] }));
    mcp.server.setRequestHandler('tools/call', async ({ params }) => {
      called.push(params.name);
      return call(params.name, params.arguments, headers());
    });
    return mcp;
  }
  let lastHeaders: IncomingHttpHeaders = {};
  const stateless = toNodeHandler(
    createMcpHandler(() => newServer(() => lastHeaders), {
      legacy: 'reject',
      responseMode: options.answersWith ?? 'sse',
    }),
  );

  async function transportFor({ headers }: IncomingMessage): Promise<NodeStreamableHTTPServerTransport | undefined> {
    const sessionId = headers['mcp-session-id'];
    if (typeof sessionId === 'string') return sessions.get(sessionId);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: options.answersWith === 'json',
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await newServer(() => lastHeaders).connect(transport);
    return transport;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const body = text === '' ? undefined : messageSchema.parse(JSON.parse(text));
    const { method = '', headers } = request;
    const one = { method, headers, rpc: body?.method ?? null };
    received.push(one);
    lastHeaders = headers;
    await options.delay?.(one);
    if (options.before?.(one, response) === true) return;
    if (speaks === 'stateless') return stateless(messageOf(request), response, body);
    const transport = await transportFor(request);
    if (transport !== undefined) return transport.handleRequest(request, response, body);
    answerJson(response, 404, { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } });
  }

  const server = await listening((request, response) => void answer(request, response));
  return {
    url: server.url,
    close: () => server.close(),
    received,
    called,
    get sessions() {
      return sessions.size;
    },
    get tools() {
      return state.tools;
    },
    set tools(tools) {
      state.tools = tools;
    },
    forgetSessions: () => sessions.clear(),
  };
}
