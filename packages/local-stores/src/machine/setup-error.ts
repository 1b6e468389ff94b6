/**
 * A condition of this machine that prevents a store from running.
 *
 * The message is one sentence for the user: what is wrong and what to do. It is shown without a stack.
 */
export class StoreSetupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreSetupError';
  }
}

/** The `code` of a Node system error (`EACCES`, `EEXIST`, …) or of a Postgres one (`57P03`, …). */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
