import type { Clock } from '@outdial/kernel';
import { WebSocket } from 'ws';

/** How a socket to a provider ended. */
export type SocketEnd =
  /** The provider answered the upgrade with a status. `body` is cut. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | null; readonly body: string }
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }
  /** The provider takes less than we send. */
  | { readonly kind: 'stalled' };

export interface ProviderSocket {
  send(text: string): void;
  /** No listener is called any more. Idempotent. */
  close(): void;
}

export interface SocketListener {
  readonly opened: () => void;
  readonly received: (text: string) => void;
  /** Exactly once, and last. */
  readonly ended: (end: SocketEnd) => void;
}

export type OpenSocket = (
  address: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  listener: SocketListener,
) => ProviderSocket;

export interface SocketOptions {
  readonly clock: Clock;
  /** From the first SYN to the upgrade. Default: 3,000. */
  readonly connectTimeoutMs?: number;
  /** Trusted beside the public authorities; for private networks and tests. */
  readonly ca?: string;
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
export function createSockets({ clock, connectTimeoutMs = 3_000, ca }: SocketOptions): OpenSocket {
  return ({ url, headers }, listener) => {
    const socket = new WebSocket(url, {
      headers,
      perMessageDeflate: false,
      handshakeTimeout: connectTimeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
      followRedirects: false,
      ...(ca === undefined ? {} : { ca }),
    });
    let over = false;
    let behindSinceMs: number | null = null;
    const end = (how: SocketEnd) => {
      if (over) return;
      over = true;
      // Without a listener, an error that follows would be thrown.
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.terminate();
      listener.ended(how);
    };
    let opened = false;
    socket.on('open', () => {
      opened = true;
      listener.opened();
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary && Buffer.isBuffer(data)) listener.received(data.toString('utf8'));
    });
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const status = response.statusCode ?? 0;
      const retryAfter = response.headers['retry-after'] ?? null;
      const finish = () =>
        end({
          kind: 'refused',
          status,
          retryAfter,
          body: Buffer.concat(chunks).toString('utf8', 0, MAX_REFUSAL_BYTES),
        });
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes >= MAX_REFUSAL_BYTES) finish();
      });
      response.on('end', finish);
      response.on('error', finish);
    });
    socket.on('error', ({ message }) =>
      end(opened ? { kind: 'closed', code: ABNORMAL, reason: message } : { kind: 'unreachable', message }),
    );
    socket.on('close', (code, reason) => end({ kind: 'closed', code, reason: reason.toString('utf8') }));
    return {
      send(text) {
        if (over || socket.readyState !== WebSocket.OPEN) return;
        if (socket.bufferedAmount <= MAX_UNSENT_BYTES) behindSinceMs = null;
        else behindSinceMs ??= clock.monotonicMs();
        if (behindSinceMs !== null && clock.monotonicMs() - behindSinceMs >= MAX_BEHIND_MS)
          return end({ kind: 'stalled' });
        socket.send(text);
      },
      close() {
        if (over) return;
        over = true;
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        // A provider that does not answer the close frame is not waited for: the call is over.
        if (socket.readyState === WebSocket.OPEN) socket.close(1_000);
        else socket.terminate();
      },
    };
  };
}
