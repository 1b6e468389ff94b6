import type { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import { EgressError } from '@outdial/egress';
import { McpError } from './mcp-error.ts';
import type { Operation } from './operation.ts';

/** The library's own classes: it is loaded when the first session begins. */
interface Library {
  readonly ProtocolError: typeof ProtocolError;
  readonly SdkHttpError: typeof SdkHttpError;
}

const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
const NOT_FOUND = 404;

/** Why an operation failed. `hasSession`: it was sent in a session, so that 404 means that the server forgot it. */
export function mcpErrorOf(
  error: unknown,
  { failure }: Operation,
  { library, hasSession }: { readonly library: Library; readonly hasSession: boolean },
): McpError {
  if (failure !== null) return failure;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof McpError) return cause;
    if (cause instanceof EgressError) return ofEgress(cause);
    if (cause instanceof library.SdkHttpError) return ofStatus(cause.data.status, hasSession);
    if (cause instanceof library.ProtocolError) {
      return new McpError('refused', `the server refuses: ${cause.message}`, { cause: error });
    }
  }
  const message = 'the server does not answer as an MCP server over streamable HTTP does';
  return new McpError('invalid_response', message, { cause: error });
}

function ofEgress(error: EgressError): McpError {
  if (error.forbidden) return new McpError('refused', error.message, { cause: error });
  if (error.neverSent) return new McpError('unsent', error.message, { cause: error });
  if (error.code === 'redirected') return new McpError('redirected', error.message, { cause: error });
  if (error.code === 'invalid_response') return new McpError('invalid_response', error.message, { cause: error });
  return new McpError('connection_lost', error.message, { cause: error });
}

function ofStatus(status: number, hasSession: boolean): McpError {
  if (status === NOT_FOUND && hasSession) return new McpError('session_lost', 'the server has forgotten the session');
  if (AWAY.has(status)) return new McpError('away', `the server is away: it answers HTTP ${status}`);
  if (status === 401 || status === 403) {
    return new McpError('refused', `the server answers HTTP ${status}: it wants other headers`);
  }
  return new McpError('refused', `the server answers HTTP ${status}`);
}
