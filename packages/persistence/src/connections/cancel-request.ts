import { connect } from 'node:net';

/** A backend's address, and the key that authorizes a cancel request. */
export interface BackendKey {
  readonly host: string;
  readonly port: number;
  readonly processId: number;
  readonly secretKey: number;
}

/** PostgreSQL manual, 55.7 Message Formats: CancelRequest. */
const CANCEL_REQUEST_CODE = 80_877_102;
const GIVE_UP_AFTER_MS = 1_000;

/**
 * Asks Postgres to cancel the current statement of a backend. Needs neither a password nor a free connection, and is sent
 * without TLS, as libpq's PQcancel does. Never rejects: Postgres does not report the outcome.
 */
export function requestCancel({ host, port, processId, secretKey }: BackendKey): Promise<void> {
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  message.writeInt32BE(processId, 8);
  message.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(GIVE_UP_AFTER_MS, () => socket.destroy());
    // `close` follows every error. Postgres closes the connection after it has forwarded the request.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
    socket.end(message);
  });
}
