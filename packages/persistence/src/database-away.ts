import { CommitsStalled } from './connections/commit-guard.ts';
import { READ_ONLY_SQL_TRANSACTION } from './connections/read-only.ts';
import { StaleReadingError } from './directory/fresh-cache.ts';
import { Prisma } from './generated/client.ts';
import { sqlStateOf } from './sql-state.ts';

/** Classes 08 (connection exception), 53 (insufficient resources) and 57 (operator intervention: stopping, starting). */
const AWAY_CLASSES = /^(?:08|53|57)/;
/**
 * Postgres answers these to a connection that is not let in (starting, stopping, full), and a standby to a write:
 * cannot_connect_now, too_many_connections, read_only_sql_transaction. A statement that gets one was not carried out.
 * Others of the classes above may follow a commit that stands.
 */
const NOT_CARRIED_OUT = new Set(['57P03', '53300', READ_ONLY_SQL_TRANSACTION]);

/** node-postgres has no class or code for these: the text of its own errors is all that tells them apart. */
const AWAY_TEXTS =
  /^(?:Query read timeout|Connection terminated|timeout exceeded when trying to connect|Client has enc)/;
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);

/** The typed client's own finding: Postgres has answered, and refused nothing. */
const ROW_NOT_FOUND = 'P2025';

/** True if an error says that Postgres is away, starting, stopping, read-only or hung, rather than what it thinks of a statement. */
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
 * True if an error says that the statement had no effect and will have none, because it was not sent or was refused
 * for what Postgres is now.
 */
export function isNotCarriedOut(error: unknown): boolean {
  return error instanceof CommitsStalled || NOT_CARRIED_OUT.has(sqlStateOf(error) ?? '');
}

/** `state` may be any code of an error; SQLSTATEs have five characters. */
function isAwayState(state: string): boolean {
  return state.length === 5 && (AWAY_CLASSES.test(state) || NOT_CARRIED_OUT.has(state));
}
