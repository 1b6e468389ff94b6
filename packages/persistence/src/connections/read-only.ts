import type { ClientBase } from 'pg';

/** SQLSTATE with which a standby, or a session with `default_transaction_read_only`, rejects a write. */
export const READ_ONLY_SQL_TRANSACTION = '25006';

/** A Postgres that does not accept writes. Shaped like the error with which Postgres rejects a write. */
class PostgresReadOnly extends Error {
  readonly code = READ_ONLY_SQL_TRANSACTION;
  readonly severity = 'FATAL';

  constructor(isRecovering: boolean) {
    super(isRecovering ? 'Postgres is a standby or in recovery: it does not accept writes' : 'Postgres is read-only');
    this.name = 'PostgresReadOnly';
  }
}

/**
 * Checks that a connection is writable.
 * @throws PostgresReadOnly; destroy the connection then, because its session stays read-only even if new ones are
 * not
 */
export async function assertWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isRecovering: boolean; isReadOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS "isRecovering", current_setting('transaction_read_only')::bool AS "isReadOnly"`,
  );
  const [state] = rows;
  if (state?.isRecovering || state?.isReadOnly) throw new PostgresReadOnly(state.isRecovering);
}
