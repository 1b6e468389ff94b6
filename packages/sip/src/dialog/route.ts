import { parseNameAddr } from '../syntax/name-addr.ts';
import { parseSipUri } from '../syntax/uri.ts';

export interface RoutedRequest {
  readonly requestUri: string;
  /** Values of the Route header field. */
  readonly routes: readonly string[];
  /** The URI that decides where the request is sent. */
  readonly nextHop: string;
}

/**
 * Routes a request within a dialog (RFC 3261 section 12.2.1.1). A first route without `lr` is a strict router (RFC
 * 2543): it becomes the Request-URI, and the remote target becomes the last route.
 */
export function routeRequest(routeSet: readonly string[], remoteTarget: string): RoutedRequest {
  const [first, ...others] = routeSet;
  const firstUri = first === undefined ? undefined : parseNameAddr(first)?.uri;
  if (firstUri === undefined) return { requestUri: remoteTarget, routes: [], nextHop: remoteTarget };
  if (parseSipUri(firstUri)?.params.has('lr') === true) {
    return { requestUri: remoteTarget, routes: routeSet, nextHop: firstUri };
  }
  return { requestUri: firstUri, routes: [...others, `<${remoteTarget}>`], nextHop: firstUri };
}
