import { parseNameAddr } from '../syntax/name-addr.ts';
import { parseSipUri } from '../syntax/uri.ts';

export interface RoutedRequest {
  readonly requestUri: string;
  /** Values of Route. */
  readonly routes: readonly string[];
  /** The URI that decides where the request is sent. */
  readonly nextHop: string;
}

/**
 * How a request within a dialog finds its way (RFC 3261 section 12.2.1.1). A first route without `lr` is a strict
 * router of RFC 2543: it wants to be the Request-URI, and the target goes last.
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
