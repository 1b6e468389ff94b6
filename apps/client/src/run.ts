import { OutdialError } from '@outdial/sdk';
import { CommanderError } from 'commander';
import { CommandError, EXIT, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';
import { plain } from './terminal/plain.ts';

/**
 * Runs one command.
 * @param args without the program's own name.
 */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  try {
    await createProgram(io, (ended) => (code = ended)).parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, io, args.includes('--json'));
  }
}

function explain(error: unknown, { stderr, interrupted }: Io, isJson: boolean): ExitCode {
  if (interrupted.aborted) return EXIT.interrupted;
  // Commander has said what is wrong, or has printed the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof OutdialError) {
    const { code, message, param, details, requestId, idempotencyKey: key } = error;
    const request = requestId === null ? '' : ` (request ${requestId})`;
    const named = key === null ? {} : { idempotency_key: key };
    const body = { code, message, param, details, request_id: requestId, ...named };
    stderr.write(isJson ? `${JSON.stringify({ error: body })}\n` : `${plain(`${message}${request}`)}\n`);
    return EXIT.refused;
  }
  if (!(error instanceof CommandError)) throw error;
  stderr.write(isJson ? `${JSON.stringify({ error: { message: error.message } })}\n` : `${plain(error.message)}\n`);
  return error.exitCode;
}
