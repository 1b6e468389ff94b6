/** The program cannot start with its configuration; the message says why and what to do. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}

/** `EADDRINUSE` and the like, for a sentence; the message of an error without a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
