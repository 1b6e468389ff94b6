import { StaleReadingError } from './directory/fresh-cache.ts';
import { Prisma } from './generated/client.ts';
import { sqlStateOf } from './sql-state.ts';

/** Classes 08 (connection exception), 53 (insufficient resources) and 57 (operator intervention: stopping, starting). */
const AWAY_STATES = /^(?:08|53|57)/;

/** node-postgres has no class or code for these: the text of its own errors is all that tells them apart. */
const AWAY_TEXTS =
  /^(?:Query read timeout|Connection terminated|timeout exceeded when trying to connect|Client has enc)/;
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);

/** The typed client's own finding: Postgres has answered, and refused nothing. */
const ROW_NOT_FOUND = 'P2025';

/** True if an error says that Postgres is away, starting, stopping or hung, rather than what it thinks of a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof StaleReadingError) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (error.code === ROW_NOT_FOUND) return false;
    const state = sqlStateOf(error);
    return state === null || AWAY_STATES.test(state);
  }
  if (!(error instanceof Error)) return false;
  return AWAY_TEXTS.test(error.message) || ('code' in error && AWAY_CODES.has(String(error.code)));
}
