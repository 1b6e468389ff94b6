import { StaleReadingError } from '@outdial/kernel';
import { CommitsStalled } from './connections/commit-guard.ts';
import { READ_ONLY_SQL_TRANSACTION } from './connections/read-only.ts';
import { Prisma } from './generated/client.ts';
import { sqlStateOf } from './sql-state.ts';

/** Classes 08 (connection exception), 53 (insufficient resources) and 57 (operator intervention: stopping, starting). */
const AWAY_CLASSES = /^(?:08|53|57)/;
/**
 * Postgres sends these to a connection that it rejects (starting, stopping, full), and a standby to a write:
 * cannot_connect_now, too_many_connections, read_only_sql_transaction. The statement was not executed.
 * Other codes of the classes above may follow a commit that was stored.
 */
const NOT_CARRIED_OUT = new Set(['57P03', '53300', READ_ONLY_SQL_TRANSACTION]);

/** node-postgres has neither class nor code for these errors; only the text identifies them. */
const AWAY_TEXTS =
  /^(?:Query read timeout|Connection terminated|timeout exceeded when trying to connect|Client has enc)/;
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Raised by the typed client itself: Postgres responded and rejected nothing. */
const ROW_NOT_FOUND = 'P2025';

/** True if an error means that Postgres is unavailable, starting, stopping, read-only or hung, rather than that it rejected a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof StaleReadingError || error instanceof CommitsStalled) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (error.code === ROW_NOT_FOUND) return false;
    const state = sqlStateOf(error);
    return state === null || isAwayState(state);
  }
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return AWAY_TEXTS.test(error.message) || AWAY_CODES.has(code) || isAwayState(code);
}

/**
 * True if an error means that the statement had no effect and will have none, because it was not sent or was rejected
 * for the server's state.
 */
export function isNotCarriedOut(error: unknown): boolean {
  return error instanceof CommitsStalled || NOT_CARRIED_OUT.has(sqlStateOf(error) ?? '');
}

/** `state` may be any error code; SQLSTATEs have five characters. */
function isAwayState(state: string): boolean {
  return state.length === 5 && (AWAY_CLASSES.test(state) || NOT_CARRIED_OUT.has(state));
}
