import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** No byte for so long: the sender is gone, or holds the connection for nothing. */
const SILENCE_MS = 20_000;

/** Connections whose request is an upload that may take longer than the server's limit of a request. */
const uploading = new WeakSet<Duplex>();

/**
 * Lifts the server's limit of a request's time from this one, and closes its connection once no byte arrives for a while.
 * Node has one limit for all requests, and reports a request beyond it once, as an error that the server may ignore.
 * @returns a function for the end of the upload
 */
export function takeOwnTime({ socket }: IncomingMessage, silenceMs = SILENCE_MS): () => void {
  const close = () => socket.destroy();
  uploading.add(socket);
  socket.setTimeout(silenceMs, close);
  return () => {
    uploading.delete(socket);
    socket.off('timeout', close);
    socket.setTimeout(0);
  };
}

/** Whether the request on this connection takes its own time. */
export function takesOwnTime(connection: Duplex): boolean {
  return uploading.has(connection);
}
