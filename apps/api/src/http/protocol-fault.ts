import type { IncomingMessage } from 'node:http';
import { ApiFault, invalidRequest } from './fault.ts';
import { headerOf } from './header.ts';

/** What is wrong with a message that Node's parser, or its watch over slow senders, gave up on. */
export function faultOfParser(error: NodeJS.ErrnoException): ApiFault {
  const code = error.code ?? '';
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiFault({
        code: 'request_timeout',
        publicMessage: 'The request did not arrive in time. Send it again, faster.',
      });
    case 'HPE_HEADER_OVERFLOW':
      return new ApiFault({
        code: 'headers_too_large',
        publicMessage: 'The headers are larger than 16 KiB. Send fewer or shorter ones.',
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiFault({
        code: 'body_too_large',
        publicMessage: 'The extensions of the body’s chunks are too large. Send the body without them.',
        param: 'body',
      });
    default:
      return invalidRequest([MALFORMED[code] ?? { param: 'request', message: 'is not valid HTTP/1.1' }]);
  }
}

/** By the parser's own codes (llhttp). */
const MALFORMED: Readonly<Record<string, { readonly param: string; readonly message: string }>> = {
  HPE_INVALID_METHOD: { param: 'method', message: 'is not one of HTTP' },
  HPE_INVALID_URL: { param: 'path', message: 'is not valid' },
  HPE_INVALID_VERSION: { param: 'version', message: 'must be HTTP/1.1' },
  HPE_INVALID_CONSTANT: { param: 'version', message: 'must be HTTP/1.1' },
  HPE_PAUSED_H2_UPGRADE: { param: 'version', message: 'must be HTTP/1.1' },
  HPE_INVALID_HEADER_TOKEN: { param: 'headers', message: 'contain a character that is not allowed in them' },
  HPE_INVALID_CONTENT_LENGTH: { param: 'Content-Length', message: 'is not a number of bytes' },
  HPE_UNEXPECTED_CONTENT_LENGTH: { param: 'Content-Length', message: 'is given twice' },
  HPE_INVALID_TRANSFER_ENCODING: { param: 'Transfer-Encoding', message: 'must be chunked, without Content-Length' },
  HPE_INVALID_CHUNK_SIZE: { param: 'body', message: 'is not validly chunked' },
  HPE_INVALID_EOF_STATE: { param: 'request', message: 'is cut off' },
};

/**
 * RFC 9112 section 3.2: a request of HTTP/1.1 names its host, once. Two would be read differently by us and by what
 * stands before us.
 * @throws ApiFault `invalid_request`
 */
export function requireHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  const host = headerOf(rawHeaders, 'Host');
  if (host === null && httpVersion === '1.1') throw invalidRequest([{ param: 'Host', message: 'is required' }]);
}

/** RFC 9110 section 10.1.1: the one expectation there is, `100-continue`, never gets here. */
export function unknownExpectation(): ApiFault {
  return new ApiFault({
    code: 'expectation_failed',
    publicMessage: 'Only Expect: 100-continue is understood. Send the request without another.',
    param: 'Expect',
  });
}

/** RFC 9110 section 9.3.6: this is no proxy. */
export function noTunnel(): ApiFault {
  return new ApiFault({
    code: 'method_not_allowed',
    publicMessage: 'This service opens no tunnels. Send the request itself.',
    param: 'method',
    headers: { Allow: 'DELETE, GET, HEAD, PATCH, POST, PUT' },
  });
}
