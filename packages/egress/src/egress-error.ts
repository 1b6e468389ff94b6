/**
 * Why a request got no response.
 *
 * - `url_not_allowed`, `address_not_allowed`: the guard refused it; nothing was sent.
 * - `name_not_found`, `connect_failed`, `tls_failed`: no request reached the server.
 * - `redirected`: the server sends the caller elsewhere, and nothing was sent there.
 * - `connection_lost`, `timed_out`, `invalid_response`: the server may have received the request.
 * - `aborted`: the caller gave up.
 */
export type EgressErrorCode =
  | 'url_not_allowed'
  | 'address_not_allowed'
  | 'name_not_found'
  | 'connect_failed'
  | 'tls_failed'
  | 'redirected'
  | 'connection_lost'
  | 'timed_out'
  | 'invalid_response'
  | 'aborted';

/** The message is for users: it names no address that a name resolved to, which would map the operator's network. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: EgressErrorCode;

  constructor(code: EgressErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the server cannot have seen the request, so that a repetition is safe. */
  get neverSent(): boolean {
    return NEVER_SENT.has(this.code);
  }

  /** Whether the guard refused the address: another attempt is refused as well. */
  get forbidden(): boolean {
    return this.code === 'url_not_allowed' || this.code === 'address_not_allowed';
  }
}

const NEVER_SENT: ReadonlySet<EgressErrorCode> = new Set([
  'url_not_allowed',
  'address_not_allowed',
  'name_not_found',
  'connect_failed',
  'tls_failed',
]);
