import { EnvError, CodedError, systemClock } from '@outdial/kernel';
import { isDatabaseAway } from '@outdial/persistence';
import { CommanderError } from 'commander';
import { CliError, usageError } from '../cli-error.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { actorName } from './actor.ts';
import { findStores } from './find-stores.ts';
import { createProgram } from './program.ts';
import { printReport } from './report.ts';
import { openSession } from './session.ts';
import type { RunVerb } from './verb.ts';

export interface AdminIo {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: { readonly write: (text: string) => void };
  readonly stderr: { readonly write: (text: string) => void };
}

/**
 * Runs one command of the administration. Resolves to 0 when it is done, 1 when it failed, 2 when the usage is wrong.
 */
export async function runAdmin(args: readonly string[], given: AdminIo): Promise<number> {
  const io: AdminIo = { ...given, stdout: escaping(given.stdout), stderr: escaping(given.stderr) };
  const runVerb: RunVerb = async ({ json, actor }, work) => {
    const session = openSession({
      stores: await findStores(io.env),
      actor: actorName(actor),
      env: io.env,
      stdin: io.stdin,
      clock: systemClock,
    });
    try {
      printReport(await work(session), json, io.stdout, io.stderr);
    } finally {
      await session.close();
    }
  };
  const program = createProgram({ out: io.stdout.write, err: io.stderr.write }, runVerb);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return fail(error, args.includes('--json'), io);
  }
}

/** Names and notes come from customers: their control characters must not reach the operator's terminal. */
function escaping(stream: AdminIo['stdout']): AdminIo['stdout'] {
  return { write: (text) => stream.write(escapeControls(text)) };
}

function fail(error: unknown, asJson: boolean, io: AdminIo): number {
  // Commander has already printed its message. Help that the user asked for is not a failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { code, message, param, exitCode } = failureOf(error);
  const body = { error: { code, message, ...(param !== undefined && { param }) } };
  io.stderr.write(asJson ? `${JSON.stringify(body, null, 2)}\n` : `${message}\n`);
  return exitCode;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly param?: string | undefined;
  readonly exitCode: number;
}

function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    return { code: error.exitCode === 2 ? 'usage' : 'refused', message: error.message, exitCode: error.exitCode };
  }
  if (error instanceof EnvError) return { code: 'usage', message: error.message, exitCode: usageError('').exitCode };
  if (error instanceof CodedError) {
    return { code: error.code, message: error.publicMessage, param: error.param, exitCode: 1 };
  }
  if (isDatabaseAway(error)) {
    const message = 'Postgres does not answer: check that it runs and that DATABASE_URL is right.';
    return { code: 'database_away', message, exitCode: 1 };
  }
  // An unexpected error is a bug in Outdial; the stack is the only lead to it.
  return { code: 'internal_error', message: error instanceof Error ? String(error.stack) : String(error), exitCode: 1 };
}
