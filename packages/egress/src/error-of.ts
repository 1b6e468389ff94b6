import { EgressError, type EgressErrorCode } from './egress-error.ts';

const CODES: Readonly<Record<string, EgressErrorCode>> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  EAI_FAIL: 'name_not_found',
  ENODATA: 'name_not_found',
  ECONNREFUSED: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  EADDRNOTAVAIL: 'connect_failed',
  EACCES: 'connect_failed',
  ETIMEDOUT: 'connect_failed',
  UND_ERR_CONNECT_TIMEOUT: 'connect_failed',
  UND_ERR_PRX_TLS: 'connect_failed',
  UND_ERR_HEADERS_TIMEOUT: 'timed_out',
  UND_ERR_BODY_TIMEOUT: 'timed_out',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  EPROTO: 'tls_failed',
};

const MESSAGES: Readonly<Record<EgressErrorCode, string>> = {
  url_not_allowed: 'the URL is not allowed',
  address_not_allowed: 'the host is not on the public internet, or its port is not allowed',
  name_not_found: 'the name of the host could not be resolved',
  connect_failed: 'no connection could be made to the host',
  tls_failed: 'the certificate or the TLS handshake of the host was not acceptable',
  redirected: 'the server redirects: use the address that it redirects to',
  connection_lost: 'the connection broke before the response was complete',
  timed_out: 'the response took too long',
  invalid_response: 'the response was not valid HTTP',
  aborted: 'the request was aborted',
};

/** Node's codes for certificates are many: they name the check that failed. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Any error of a request as an `EgressError`. What is not known counts as sent: only then is a retry never harmful. */
export function egressErrorOf(error: unknown): EgressError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return cause;
    const code = codeOf(cause);
    if (code !== undefined) return new EgressError(code, MESSAGES[code], { cause: error });
  }
  return new EgressError('connection_lost', MESSAGES.connection_lost, { cause: error });
}

function codeOf(error: Error): EgressErrorCode | undefined {
  if (error.name === 'HTTPParserError') return 'invalid_response';
  // `fetch` has no code for it.
  if (error.message === 'unexpected redirect') return 'redirected';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A proxy that refuses the tunnel, for example because its own rules forbid the host.
  if (code === 'UND_ERR_ABORTED' && error.message.startsWith('Proxy response')) return 'connect_failed';
  return TLS_CODE.test(code) ? 'tls_failed' : CODES[code];
}
