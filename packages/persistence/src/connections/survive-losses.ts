import type { Pool } from 'pg';

/**
 * Keeps the process alive when a connection breaks while it is in use. The pool listens for errors of idle connections
 * only, and an `error` event without a listener ends the process. The statement in flight rejects with the same error,
 * and the pool destroys the connection on release.
 */
export function surviveLosses(pool: Pool): void {
  pool.on('connect', (client) => client.on('error', () => undefined));
}
