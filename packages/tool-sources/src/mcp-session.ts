import type { CallToolResult, ClientOptions, PriorDiscovery, Tool } from '@modelcontextprotocol/client';
import type { Clock } from '@outdial/kernel';
import { mcpErrorOf } from './error-of.ts';
import { GuardedExchange, OPERATION_HEADER } from './guarded-exchange.ts';
import { McpError } from './mcp-error.ts';
import { Operation } from './operation.ts';

export interface McpServer {
  readonly url: string;
  /** With secrets filled in. */
  readonly headers: Readonly<Record<string, string>>;
  /** The revision that it is known to speak. Null: it is asked. */
  readonly protocolVersion: string | null;
}

export interface McpSessionDeps {
  /** Leads only where a customer's address may. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

export interface McpToolCall {
  /** Unlike that of any other call: servers recognize a repetition by it. */
  readonly id: string;
  readonly tool: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> };
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A client of one MCP server. Every method rejects with an `McpError` and nothing else. */
export interface McpSession {
  readonly protocolVersion: string;
  /** Every page. */
  listTools(operation: Operation): Promise<readonly Tool[]>;
  callTool(call: McpToolCall, operation: Operation): Promise<CallToolResult>;
  /** Ends the session at the server, if it has one. Never rejects. */
  close(): Promise<void>;
}

const NAME = { name: 'outdial', title: 'Outdial', version: '0.1.0' };
/** The first revision without a handshake. */
const FIRST_STATELESS = '2026-07-28';
const MAX_PAGES = 16;
const MAX_TOOLS = 512;
const CLOSE_WITHIN_MS = 2_000;
const MAX_CLOSE_BYTES = 64 * 1_024;
/** The operation limits time; the library has its own limit as well. */
const NO_LIMIT_MS = 2_147_483_647;
/** What tools return is text for a model: nothing here relies on its shape. */
const NO_VALIDATOR: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not checked' }),
};

/** Connects within the operation. @throws McpError */
export async function openMcpSession(
  server: McpServer,
  { fetch, clock }: McpSessionDeps,
  operation: Operation,
): Promise<McpSession> {
  // Most processes never need it, and it takes 24 MB.
  const library = await import('@modelcontextprotocol/client');
  const exchange = new GuardedExchange({ fetch, clock }, operation);
  const { protocolVersion: known } = server;
  const client = new library.Client(NAME, {
    jsonSchemaValidator: NO_VALIDATOR,
    versionNegotiation: { mode: known === null ? 'auto' : 'legacy', probe: { timeoutMs: NO_LIMIT_MS } },
    inputRequired: { autoFulfill: false },
  });
  const transport = new library.StreamableHTTPClientTransport(new URL(server.url), {
    fetch: exchange.fetch,
    requestInit: { headers: server.headers },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 2_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
  const fails = (error: unknown, of: Operation) =>
    mcpErrorOf(error, of, { library, hasSession: transport.sessionId !== undefined });

  const close = async () => {
    const ending = new Operation({ clock, timeoutMs: CLOSE_WITHIN_MS, maxBytes: MAX_CLOSE_BYTES });
    exchange.use(ending);
    await ending.run(() => transport.terminateSession()).catch(() => undefined);
    ending.end();
    await client.close().catch(() => undefined);
  };
  try {
    await operation.run(() =>
      client.connect(transport, {
        timeout: NO_LIMIT_MS,
        ...(known !== null && known >= FIRST_STATELESS ? { prior: statelessAt(known) } : {}),
      }),
    );
  } catch (error) {
    void close();
    throw mcpErrorOf(error, operation, { library, hasSession: false });
  }

  return {
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    async listTools(listing) {
      exchange.use(listing);
      if (client.getServerCapabilities()?.tools === undefined) throw new McpError('refused', 'the server has no tools');
      const tools: Tool[] = [];
      let cursor: string | undefined;
      try {
        for (let page = 0; page < MAX_PAGES; page += 1) {
          const params = cursor === undefined ? {} : { cursor };
          const result = await listing.run(() =>
            client.request({ method: 'tools/list', params }, { timeout: NO_LIMIT_MS }),
          );
          tools.push(...result.tools);
          cursor = result.nextCursor;
          if (tools.length > MAX_TOOLS || cursor === undefined) break;
        }
      } catch (error) {
        throw fails(error, listing);
      }
      if (tools.length <= MAX_TOOLS && cursor === undefined) return tools;
      throw new McpError('too_much', `the server lists more than ${MAX_TOOLS} tools, or never ends`);
    },
    async callTool({ id, tool, arguments: given }, calling) {
      const named = exchange.named(id, calling);
      try {
        return await calling.run(() =>
          client.callTool(
            { name: tool.name, arguments: { ...given } },
            {
              timeout: NO_LIMIT_MS,
              signal: calling.signal,
              headers: { [OPERATION_HEADER]: id },
              onresumptiontoken: (eventId) => named.resumableAt(eventId),
              // The version of the agent has it: nothing is listed in a call.
              toolDefinition: { name: tool.name, inputSchema: { ...tool.parameters, type: 'object' } },
            },
          ),
        );
      } catch (error) {
        throw fails(error, calling);
      } finally {
        named.over();
      }
    },
    close,
  };
}

/** What such a server would say of itself if it were asked. */
function statelessAt(version: string): PriorDiscovery {
  const discover = { supportedVersions: [version], capabilities: { tools: {} } };
  return { kind: 'modern', discover };
}
