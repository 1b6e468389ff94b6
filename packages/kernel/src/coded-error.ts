/** What an error returns to the client beside its code and message. Must be JSON and safe to show. */
export type CodedErrorDetails = Readonly<Record<string, unknown>> | readonly unknown[];

export interface CodedErrorInput<Code extends string> {
  readonly code: Code;
  /** Shown to the client. Says what to do next, and never contains a secret, SQL or another account's data. */
  readonly publicMessage: string;
  /** For the log only. */
  readonly internalMessage?: string;
  readonly param?: string;
  readonly details?: CodedErrorDetails;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * A refusal or failure with a code from a closed list. The edge maps the code to a status once; everything in between
 * throws or returns it untouched.
 */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly publicMessage: string;
  readonly param: string | undefined;
  readonly details: CodedErrorDetails | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(input: CodedErrorInput<Code>) {
    super(input.internalMessage ?? input.publicMessage, { cause: input.cause });
    this.name = 'CodedError';
    this.code = input.code;
    this.publicMessage = input.publicMessage;
    this.param = input.param;
    this.details = input.details;
    this.retryAfterSeconds = input.retryAfterSeconds;
  }
}
