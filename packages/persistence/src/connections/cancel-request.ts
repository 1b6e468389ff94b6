import { connect } from 'node:net';

/** Where a backend listens, and what it was told to show when its statement is to be cancelled. */
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
 * Asks Postgres to cancel what a backend does now. Needs neither a password nor a free connection, and is sent without
 * TLS, as libpq's PQcancel does. Never rejects: Postgres does not say what came of it.
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
    // Every error is followed by `close`. Postgres closes the connection once it has passed the request on.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
    socket.end(message);
  });
}
