type ErrorClass = abstract new (...args: never[]) => Error;

/**
 * What a process writes to standard error before it exits: the message alone if the operator can fix the cause, and the
 * stack of every other error.
 */
export function describeFailure(error: unknown, fixable: readonly ErrorClass[]): string {
  if (!(error instanceof Error)) return String(error);
  return fixable.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
