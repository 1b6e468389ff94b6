/** 1: the command failed or was rejected. 2: the usage is wrong. */
export type FailureCode = 1 | 2;

/** An error that the user can fix. The message says what is wrong and what to do; it is shown without a stack. */
export class CliError extends Error {
  readonly exitCode: FailureCode;

  constructor(message: string, options: { readonly exitCode?: FailureCode; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'CliError';
    this.exitCode = options.exitCode ?? 1;
  }
}

export function usageError(message: string): CliError {
  return new CliError(message, { exitCode: 2 });
}

/** The `code` of a Node system error: `EACCES`, `ENOENT`, …. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
