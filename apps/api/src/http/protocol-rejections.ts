import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './api-error.ts';
import { headerOf } from './header.ts';

/** The API error for a message that Node's parser, or its timeouts for slow senders, rejected. */
export function parserApiError(error: NodeJS.ErrnoException): ApiError {
  const code = error.code ?? '';
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError({
        code: 'request_timeout',
        publicMessage: 'The request did not arrive in time. Send it again within the time limit.',
      });
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError({
        code: 'headers_too_large',
        publicMessage: 'The headers are larger than 16 KiB. Send fewer or shorter ones.',
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError({
        code: 'body_too_large',
        publicMessage: 'The chunk extensions of the body are too large. Send the body without them.',
        param: 'body',
      });
    default:
      return invalidRequest([MALFORMED[code] ?? { param: 'request', message: 'is not valid HTTP/1.1' }]);
  }
}

/** By the codes of the parser (llhttp). */
const MALFORMED: Readonly<Record<string, { readonly param: string; readonly message: string }>> = {
  HPE_INVALID_METHOD: { param: 'method', message: 'must be an HTTP method' },
  HPE_INVALID_URL: { param: 'path', message: 'must be a valid URL path' },
  HPE_INVALID_VERSION: { param: 'version', message: 'must be HTTP/1.1' },
  HPE_INVALID_CONSTANT: { param: 'version', message: 'must be HTTP/1.1' },
  HPE_PAUSED_H2_UPGRADE: { param: 'version', message: 'must be HTTP/1.1' },
  HPE_INVALID_HEADER_TOKEN: { param: 'headers', message: 'contain a character that is not allowed' },
  HPE_INVALID_CONTENT_LENGTH: { param: 'Content-Length', message: 'must be a number of bytes' },
  HPE_UNEXPECTED_CONTENT_LENGTH: { param: 'Content-Length', message: 'appears twice: send it once' },
  HPE_INVALID_TRANSFER_ENCODING: { param: 'Transfer-Encoding', message: 'must be chunked, without Content-Length' },
  HPE_INVALID_CHUNK_SIZE: { param: 'body', message: 'must use valid chunked encoding' },
  HPE_INVALID_EOF_STATE: { param: 'request', message: 'is incomplete' },
};

/**
 * RFC 9112 section 3.2: an HTTP/1.1 request names its host exactly once. A proxy in front might read a request with two
 * hosts differently.
 * @throws ApiError `invalid_request`
 */
export function requireHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  const host = headerOf(rawHeaders, 'Host');
  if (host === null && httpVersion === '1.1') throw invalidRequest([{ param: 'Host', message: 'is required' }]);
}

/** RFC 9110 section 10.1.1: the only expectation defined, `100-continue`, is handled before this. */
export function unknownExpectation(): ApiError {
  return new ApiError({
    code: 'expectation_failed',
    publicMessage: 'Only Expect: 100-continue is supported. Send the request without any other expectation.',
    param: 'Expect',
  });
}

/** RFC 9110 section 9.3.6: this server is not a proxy. */
export function noTunnel(): ApiError {
  return new ApiError({
    code: 'method_not_allowed',
    publicMessage: 'This service does not open tunnels. Send the request directly.',
    param: 'method',
    headers: { Allow: 'DELETE, GET, HEAD, PATCH, POST, PUT' },
  });
}
