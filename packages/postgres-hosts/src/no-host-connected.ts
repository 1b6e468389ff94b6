import type { PostgresHost } from '@outdial/kernel';

/** SQLSTATE with which a standby, or a read-only session, rejects a write. */
const READ_ONLY_SQL_TRANSACTION = '25006';

/** A host that answers, and is not what `target_session_attrs` wants. Shaped like the error with which Postgres rejects a write. */
export class WrongRole extends Error {
  readonly code = READ_ONLY_SQL_TRANSACTION;
  readonly severity = 'FATAL';

  constructor(isRecovering: boolean) {
    super(isRecovering ? 'a standby or in recovery' : 'read-only');
    this.name = 'WrongRole';
  }
}

export interface HostFailure {
  readonly host: PostgresHost;
  readonly error: Error;
}

/** None of several hosts took the connection. Its code is that of the host whose answer says most. */
class NoHostConnected extends Error {
  readonly code: string;
  readonly severity: string | undefined;

  constructor(failures: readonly HostFailure[], telling: Error & { readonly code: string }) {
    const reasons = failures.map(({ host, error }) => `${host.host}:${host.port} ${error.message}`);
    super(`none of the Postgres hosts takes the connection: ${reasons.join('; ')}`, { cause: telling });
    this.name = 'NoHostConnected';
    this.code = telling.code;
    this.severity = 'severity' in telling ? String(telling.severity) : undefined;
  }
}

/**
 * The error for a list of hosts of which none took the connection. A host that answered, such as a standby that is not
 * promoted yet, says more than one that is gone.
 */
export function noHostConnected(failures: readonly HostFailure[]): Error {
  const coded = failures.map(({ error }) => error).filter(hasCode);
  const telling =
    coded.find((error) => error instanceof WrongRole) ?? coded.find(({ code }) => isSqlState(code)) ?? coded[0];
  if (telling !== undefined) return new NoHostConnected(failures, telling);
  return failures[0]?.error ?? new Error('Connection terminated: no time was left to try a Postgres host');
}

/** A wrong password, user or name of the database is the same on every host. */
export function isSameEverywhere(error: Error): boolean {
  return hasCode(error) && /^(?:28|3D)/.test(error.code) && isSqlState(error.code);
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);
}

function hasCode(error: Error): error is Error & { readonly code: string } {
  return 'code' in error && typeof error.code === 'string';
}
