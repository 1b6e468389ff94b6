/** Thrown when something happened that may not happen; always a defect, never a user's mistake. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvariantError';
  }
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Closes an exhaustive switch: a new member of the union no longer compiles until it is handled. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected value: ${JSON.stringify(value)}`);
}
