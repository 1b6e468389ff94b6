import type { ClientBase } from 'pg';

/** SQLSTATE of a write that a standby, or a session with `default_transaction_read_only`, refuses. */
export const READ_ONLY_SQL_TRANSACTION = '25006';

/** A connection reached a Postgres that takes no writes. Shaped like the error with which Postgres refuses one. */
class PostgresReadOnly extends Error {
  readonly code = READ_ONLY_SQL_TRANSACTION;
  readonly severity = 'FATAL';

  constructor(isRecovering: boolean) {
    super(isRecovering ? 'Postgres is a standby or recovers: it takes no writes' : 'Postgres is read-only');
    this.name = 'PostgresReadOnly';
  }
}

/**
 * Asks a connection whether it can write.
 * @throws PostgresReadOnly; the connection is then to be destroyed, since its session stays read-only even if new ones
 * are not.
 */
export async function assertWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isRecovering: boolean; isReadOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS "isRecovering", current_setting('transaction_read_only')::bool AS "isReadOnly"`,
  );
  const [state] = rows;
  if (state?.isRecovering || state?.isReadOnly) throw new PostgresReadOnly(state.isRecovering);
}
