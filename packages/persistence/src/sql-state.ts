import { Prisma } from './generated/client.ts';

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/**
 * The SQLSTATE (PostgreSQL manual, appendix A) with which Postgres refused a statement; null when the error is not
 * Postgres's answer, so that nobody knows whether the statement took effect.
 */
export function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const cause = property(error.meta?.['driverAdapterError'], 'cause');
  const code = property(cause, 'originalCode');
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** The constraint or index that a refused row broke, where Postgres named it. */
export function constraintOf(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const constraint = property(property(error.meta?.['driverAdapterError'], 'cause'), 'constraint');
  const name = property(constraint, 'index');
  return typeof name === 'string' ? name : null;
}

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** Classes 22 (data exception) and 23 (integrity constraint violation): one row's data was refused, nothing was kept. */
export function isDataRefusal(state: string | null): boolean {
  return state !== null && (state.startsWith('22') || state.startsWith('23'));
}

/** Nothing was kept, and the same statement may pass when it is sent again. */
export function isPassing(state: string | null): boolean {
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

export function isUniqueViolation(state: string | null): boolean {
  return state === UNIQUE_VIOLATION;
}
