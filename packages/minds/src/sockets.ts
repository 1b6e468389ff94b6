import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { EgressError, type EgressScope, type EgressSockets } from '@outdial/egress';
import type { Clock } from '@outdial/kernel';
import { WebSocket } from 'ws';
import { Flood } from './flood.ts';

/** How a socket to a provider ended. */
export type SocketEnd =
  /** The provider answered the upgrade with a status. `body` is cut. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | null; readonly body: string }
  | { readonly kind: 'unreachable'; readonly message: string }
  /** The address is not one that the credential may lead to: no connection was made. */
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }
  /** The provider takes less than we send. */
  | { readonly kind: 'stalled' }
  /** The provider sends more than a conversation has. */
  | { readonly kind: 'flooded' };

export interface ProviderSocket {
  /** A text message, or a binary one. */
  send(data: string | Uint8Array): void;
  /** No listener is called any more. Idempotent. */
  close(): void;
}

export interface SocketListener {
  readonly opened: () => void;
  readonly received: (text: string) => void;
  /** A binary message. Without this listener they are ignored. */
  readonly receivedBinary?: (data: Uint8Array) => void;
  /** Exactly once, and last. */
  readonly ended: (end: SocketEnd) => void;
}

export type OpenSocket = (
  address: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  listener: SocketListener,
) => ProviderSocket;

export interface SocketOptions {
  readonly clock: Clock;
  /** Makes every connection: each leads where the scope permits. */
  readonly egress: EgressSockets;
  /** `internet` for the credential of an account; `allow_list` for the operator's. */
  readonly scope: EgressScope;
  /** From the connection to the end of the upgrade. Default: 3,000. */
  readonly upgradeTimeoutMs?: number;
}

/**
 * Three seconds of sound in base64 and JSON. A provider that stays this far behind for as long answers too late to be of
 * use. A burst is no sign of it: what was heard before the settings were accepted is sent at once.
 */
const MAX_UNSENT_BYTES = 32 * 1_024;
const MAX_BEHIND_MS = 3_000;
/** The connection ended without a close frame (RFC 6455 section 7.1.5). */
const ABNORMAL = 1_006;
const MAX_MESSAGE_BYTES = 4 * 1_024 * 1_024;
const MAX_REFUSAL_BYTES = 2_048;

/** Opens WebSockets (RFC 6455). Sound does not compress, so extensions are off. */
export function createSockets(options: SocketOptions): OpenSocket {
  return ({ url, headers }, listener) => {
    let over = false;
    let socket: OpenWebSocket | undefined;
    const end = (how: SocketEnd) => {
      if (over) return;
      over = true;
      socket?.terminate();
      listener.ended(how);
    };
    const connect = async () => {
      try {
        const connection = await options.egress.connect(url, options.scope);
        if (over) connection.destroy();
        else socket = new OpenWebSocket({ ...options, url, headers, connection, listener, end });
      } catch (error) {
        end(endOf(error));
      }
    };
    void connect();
    return {
      send: (data) => socket?.send(data),
      close() {
        if (over) return;
        over = true;
        socket?.close();
      },
    };
  };
}

function endOf(error: unknown): SocketEnd {
  const message = error instanceof Error ? error.message : 'no connection could be made';
  return { kind: error instanceof EgressError && error.forbidden ? 'forbidden' : 'unreachable', message };
}

interface OpenWebSocketInput extends SocketOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: Socket;
  readonly listener: SocketListener;
  readonly end: (how: SocketEnd) => void;
}

/** A WebSocket over a connection that is there. */
class OpenWebSocket {
  readonly #clock: Clock;
  readonly #end: (how: SocketEnd) => void;
  readonly #socket: WebSocket;
  #opened = false;
  #behindSinceMs: number | null = null;

  constructor({ clock, url, headers, connection, listener, end, upgradeTimeoutMs = 3_000 }: OpenWebSocketInput) {
    this.#clock = clock;
    this.#end = end;
    this.#socket = new WebSocket(url, {
      headers,
      perMessageDeflate: false,
      handshakeTimeout: upgradeTimeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
      followRedirects: false,
      createConnection: () => connection,
    });
    const flood = new Flood(clock);
    this.#socket.on('open', () => {
      this.#opened = true;
      listener.opened();
    });
    this.#socket.on('message', (data, isBinary) => {
      if (!Buffer.isBuffer(data)) return;
      if (flood.isTooMuch(data.length)) return end({ kind: 'flooded' });
      if (isBinary) listener.receivedBinary?.(data);
      else listener.received(data.toString('utf8'));
    });
    this.#socket.on('unexpected-response', (_request, response) => readRefusal(response, end));
    this.#socket.on('error', ({ message }) =>
      end(this.#opened ? { kind: 'closed', code: ABNORMAL, reason: message } : { kind: 'unreachable', message }),
    );
    this.#socket.on('close', (code, reason) => end({ kind: 'closed', code, reason: reason.toString('utf8') }));
  }

  send(data: string | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount <= MAX_UNSENT_BYTES) this.#behindSinceMs = null;
    else this.#behindSinceMs ??= this.#clock.monotonicMs();
    const isStalled = this.#behindSinceMs !== null && this.#clock.monotonicMs() - this.#behindSinceMs >= MAX_BEHIND_MS;
    if (isStalled) return this.#end({ kind: 'stalled' });
    this.#socket.send(data);
  }

  /** A provider that does not answer the close frame is not waited for: the call is over. */
  close(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return this.terminate();
    this.#silence();
    this.#socket.close(1_000);
  }

  terminate(): void {
    this.#silence();
    this.#socket.terminate();
  }

  /** Without a listener, an error that follows would be thrown. */
  #silence(): void {
    this.#socket.removeAllListeners();
    this.#socket.on('error', () => undefined);
  }
}

function readRefusal(response: IncomingMessage, end: (how: SocketEnd) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const status = response.statusCode ?? 0;
  const retryAfter = response.headers['retry-after'] ?? null;
  const finish = () =>
    end({ kind: 'refused', status, retryAfter, body: Buffer.concat(chunks).toString('utf8', 0, MAX_REFUSAL_BYTES) });
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes >= MAX_REFUSAL_BYTES) finish();
  });
  response.on('end', finish);
  response.on('error', finish);
}
