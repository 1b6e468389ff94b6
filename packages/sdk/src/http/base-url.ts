import { OutdialError } from '../errors.ts';

/**
 * The address of a server, without a slash or the path of the interface at its end. `http:` carries the key in the clear, so
 * it is for this machine alone, unless the program allows it.
 *
 * @throws OutdialError `insecure_address`, or `not_configured` if it is no address
 */
export function checkedBaseUrl(text: string, allowsHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong('not_configured', 'The address of the server must be a URL such as https://calls.example.com.');
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('not_configured', 'The address of the server must have no user name and no password.');
  }
  if (url.protocol === 'http:' && !allowsHttp && !isLoopback(url.hostname)) {
    const advice = 'Use https://. For a network that you trust, set OUTDIAL_ALLOW_HTTP=true, or pass allowHttp.';
    throw wrong('insecure_address', `http:// would send the API key to ${url.host} in the clear. ${advice}`);
  }
  return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

/** @throws OutdialError `not_configured` if no key looks like this; the message does not show it */
export function checkedKey(text: string): string {
  const key = text.trim();
  // Anything else fails as a header, with an error that shows it.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw wrong('not_configured', 'The API key has characters that no key has. Copy it again.');
}

/** `URL` has written every form of an IPv4 address as four decimal numbers. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function wrong(code: string, message: string): OutdialError {
  return new OutdialError({ code, status: null, message });
}
