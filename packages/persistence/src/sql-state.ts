import { Prisma } from './generated/client.ts';

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/**
 * The SQLSTATE (PostgreSQL manual, appendix A) with which Postgres rejected a statement; null if Postgres did not raise
 * the error, so that the statement's outcome is unknown.
 */
export function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const cause = property(error.meta?.['driverAdapterError'], 'cause');
  const code = property(cause, 'originalCode');
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** The constraint or index that a rejected row violated, if Postgres named it. */
export function constraintOf(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const constraint = property(property(error.meta?.['driverAdapterError'], 'cause'), 'constraint');
  const name = property(constraint, 'index');
  return typeof name === 'string' ? name : null;
}

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** Classes 22 (data exception) and 23 (integrity constraint violation): one row's data was rejected, nothing was stored. */
export function isDataRejection(state: string | null): boolean {
  return state !== null && (state.startsWith('22') || state.startsWith('23'));
}

/** Nothing was stored, and the same statement may succeed on a retry. */
export function isRetryable(state: string | null): boolean {
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/** Nothing was stored: another transaction had a row of the statement locked for too long. */
export function isLockTimeout(state: string | null): boolean {
  return state === LOCK_NOT_AVAILABLE;
}

export function isUniqueViolation(state: string | null): boolean {
  return state === UNIQUE_VIOLATION;
}
