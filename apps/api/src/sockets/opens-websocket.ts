import type { IncomingMessage } from 'node:http';
import { targetPath } from '../http/target-path.ts';

/** Whether the request opens a WebSocket at such a path. */
export function opensWebSocket(request: IncomingMessage, path: RegExp): boolean {
  return (
    request.method === 'GET' &&
    path.test(targetPath(request.url ?? '')) &&
    /^websocket$/i.test(request.headers.upgrade ?? '')
  );
}
