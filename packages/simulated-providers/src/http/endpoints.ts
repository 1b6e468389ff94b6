import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { refuseRequest, refuseUpgrade, type Refusal } from './refusal.ts';

export interface Address {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

export interface SocketEndpoint {
  readonly path: RegExp;
  /** Refuses, or serves the socket. */
  open(address: Address): { readonly refusal: Refusal } | { readonly serve: (client: WebSocket) => void };
}

export interface RequestEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  handle(request: Address & { readonly body: string; readonly bytes: Buffer }, response: ServerResponse): void;
}

export interface ServedEndpoints {
  /** Sockets that are open, and requests whose answer is not complete. */
  underWay(): number;
  /** Ends all sockets, as a provider does that restarts; new ones are accepted. */
  disconnect(): void;
  close(): void;
}

/** RFC 6455 section 7.4.1. */
const GOING_AWAY = 1_001;
const MAX_MESSAGE_BYTES = 1_024 * 1_024;
const NOT_FOUND: Refusal = { status: 404, body: { error: { message: 'Not found.', code: 'not_found' } } };

/** Serves sockets and requests by their paths, on one HTTP server. */
export function serveEndpoints(
  server: Server,
  { sockets, requests }: { readonly sockets: readonly SocketEndpoint[]; readonly requests: readonly RequestEndpoint[] },
): ServedEndpoints {
  const accepting = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = addressOf(request);
    const endpoint = sockets.find(({ path }) => path.test(address.url.pathname));
    const opened = endpoint?.open(address) ?? { refusal: NOT_FOUND };
    if ('refusal' in opened) return refuseUpgrade(socket, opened.refusal);
    accepting.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate());
      opened.serve(client);
    });
  }

  let answering = 0;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const address = addressOf(request);
    const endpoint = requests.find(({ method, path }) => method === request.method && path.test(address.url.pathname));
    if (endpoint === undefined) return refuseRequest(response, NOT_FOUND);
    answering += 1;
    response.once('close', () => (answering -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      endpoint.handle({ ...address, bytes, body: bytes.toString('utf8') }, response);
    });
  }

  server.on('upgrade', upgrade);
  // A server of sockets alone may have another handler.
  if (requests.length > 0) server.on('request', handle);
  return {
    underWay: () => accepting.clients.size + answering,
    disconnect() {
      for (const client of accepting.clients) client.close(GOING_AWAY, 'restarting');
    },
    close() {
      server.off('upgrade', upgrade);
      server.off('request', handle);
      for (const client of accepting.clients) client.terminate();
      accepting.close();
    },
  };
}

const addressOf = ({ url, headers }: IncomingMessage): Address => ({
  url: new URL(url ?? '/', 'http://provider'),
  headers,
});
