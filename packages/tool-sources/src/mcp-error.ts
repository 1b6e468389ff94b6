/**
 * Why an MCP server gave no result.
 *
 * - `unsent`: no request reached the server.
 * - `session_lost`: the server has forgotten the session, and did nothing.
 * - `away`: 502, 503 or 504 from the server, or from what stands before it.
 * - `refused`: another status, or an error of the protocol.
 * - `redirected`, `timed_out`, `too_much`, `invalid_response`, `connection_lost`: the server may have done what it was asked.
 */
export type McpErrorKind =
  | 'unsent'
  | 'session_lost'
  | 'away'
  | 'refused'
  | 'redirected'
  | 'timed_out'
  | 'too_much'
  | 'invalid_response'
  | 'connection_lost';

/** The message is for customers and models. It may have what the server wrote, and so a secret that was sent to it. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly kind: McpErrorKind;

  constructor(kind: McpErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
