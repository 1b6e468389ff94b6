import { API_ROOT } from './request.ts';

/** Of a WebSocket at a path of the dashboard's API. */
export function socketAddress(path: string): URL {
  const address = new URL(`${API_ROOT}${path}`, location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address;
}
