import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@outdial/kernel';
import { WebSocketServer } from 'ws';
import type { Script } from '../script.ts';
import type { Ears } from '../speech/ears.ts';
import type { SpeakText } from '../voice.ts';
import { RealtimeSession, type Ledger, type RealtimeTimings } from './session.ts';

export interface RealtimeServerInput {
  readonly clock: Clock;
  readonly ears: Ears;
  readonly speak: SpeakText;
  readonly script: Script;
  readonly timings: RealtimeTimings;
  readonly ledger: Ledger;
}

/** RFC 6455 section 7.4.1. */
const GOING_AWAY = 1_001;
const PATH = '/v1/realtime';
const KEY = /^Bearer sk-simulated-[\w-]+$/;
const MAX_MESSAGE_BYTES = 1_024 * 1_024;

export interface RealtimeServer {
  /** Ends all connections, as a provider does that restarts; new ones are accepted. */
  disconnect(): void;
  close(): void;
}

/** Serves the Realtime API at `/v1/realtime` of an HTTP server. */
export function serveRealtime(server: Server, input: RealtimeServerInput): RealtimeServer {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://provider');
    if (url.pathname !== PATH) return refuse(socket, '404 Not Found', 'not_found', 'Not found.');
    const given = request.headers.authorization ?? '';
    if (!KEY.test(given)) {
      const key = given.replace(/^Bearer /, '');
      const shown = `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
      return refuse(socket, '401 Unauthorized', 'invalid_api_key', `Incorrect API key provided: ${shown}.`);
    }
    const model = url.searchParams.get('model') ?? '';
    if (model === '429')
      return refuse(socket, '429 Too Many Requests', 'rate_limit_exceeded', 'Rate limit reached.', 1);
    if (model === '503') return refuse(socket, '503 Service Unavailable', 'server_error', 'The server is overloaded.');
    sockets.handleUpgrade(request, socket, head, (client) => {
      let events = 0;
      const session = new RealtimeSession({
        ...input,
        model,
        send(event) {
          events += 1;
          if (client.readyState === client.OPEN) client.send(JSON.stringify({ event_id: `event_${events}`, ...event }));
        },
      });
      client.on('message', (data, isBinary) => {
        if (isBinary) client.close(1_003, 'binary messages are not supported');
        else if (Buffer.isBuffer(data)) session.receive(data.toString('utf8'));
      });
      client.on('error', () => client.terminate());
      client.on('close', () => session.close());
    });
  }

  server.on('upgrade', upgrade);
  return {
    disconnect() {
      for (const client of sockets.clients) client.close(GOING_AWAY, 'restarting');
    },
    close() {
      server.off('upgrade', upgrade);
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

function refuse(socket: Duplex, status: string, code: string, message: string, retryAfterSeconds?: number): void {
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } });
  const retryAfter = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(`${head}${retryAfter}Connection: close\r\n\r\n${body}`);
}
