import { OutdialError } from '../errors.ts';

/**
 * The address of a server, without a slash at its end. `http:` carries the key in the clear, so it is for this machine
 * alone, unless the program allows it.
 *
 * @throws OutdialError `insecure_address`, or `not_configured` if it is no address
 */
export function checkedBaseUrl(text: string, allowsHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong('not_configured', 'The address of the server must be a URL such as https://calls.example.com.');
  }
  if (url.protocol === 'http:' && !allowsHttp && !isLoopback(url.hostname)) {
    const advice = 'Use https://. For a network that you trust, set OUTDIAL_ALLOW_HTTP=true, or pass allowHttp.';
    throw wrong('insecure_address', `http:// would send the API key to ${url.host} in the clear. ${advice}`);
  }
  return text.replace(/\/+$/, '');
}

/** `URL` has written every form of an IPv4 address as four decimal numbers. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function wrong(code: string, message: string): OutdialError {
  return new OutdialError({ code, status: null, message });
}
