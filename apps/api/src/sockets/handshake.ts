import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';

/** Null: the client sent no valid handshake, and has been answered. */
export function handshake(
  server: WebSocketServer,
  request: IncomingMessage,
  connection: Duplex,
  head: Buffer,
): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const onClose = () => resolve(null);
    connection.once('close', onClose);
    server.handleUpgrade(request, connection, head, (socket) => {
      connection.off('close', onClose);
      resolve(socket);
    });
  });
}
