/** How a command ends. `docs/guides/client.md` lists them for users. */
export const EXIT = {
  done: 0,
  /** The server or this machine refused. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The call that was followed ended without an answer. */
  unanswered: 3,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a sentence that says what to do. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.refused) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
