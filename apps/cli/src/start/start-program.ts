import { EnvError, type Clock } from '@outdial/kernel';
import { StoreSetupError } from '@outdial/local-stores';
import { MigrationError } from '@outdial/migrations';
import { CommanderError } from 'commander';
import { CliError } from '../cli-error.ts';
import { showStep, stepLine } from '../terminal/step.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createCleanup, type Cleanup } from './cleanup.ts';
import { readStartConfig } from './config.ts';
import { parseStartOptions } from './options.ts';
import { runStart } from './run-start.ts';
import { aborted, StopRequested, type StopSignals } from './stop-signals.ts';

interface StartProgram {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly stop: StopSignals;
}

/** Runs `npm start` from its arguments to its end, and prints errors. @returns the exit code. */
export async function startProgram({ args, ...given }: StartProgram): Promise<number> {
  const { terminal, clock, env, stop } = given;
  const cleanup = createCleanup();
  try {
    const options = parseStartOptions(args);
    const config = readStartConfig(env);
    terminal.print(`\n  ${terminal.paint.strong('Outdial')}\n`);
    const start = runStart({ ...given, options, config, cleanup });
    // A second Ctrl-C does not wait for a download or a set-up: those end with this process.
    await Promise.race([start, aborted(stop.forced)]);
    return 0;
  } catch (error) {
    if (error instanceof StopRequested) return 0;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    for (const sentence of sentencesOf(error)) terminal.print(stepLine(terminal.paint.bad('✗'), sentence, ''));
    return error instanceof CliError ? error.exitCode : 1;
  } finally {
    await shutDown(terminal, clock, cleanup);
  }
}

/** Stops the services first, then the stores that they write to. */
async function shutDown(terminal: Terminal, clock: Clock, cleanup: Cleanup): Promise<void> {
  const undo = async () => ({ result: await cleanup.run(), detail: 'done' });
  if (!cleanup.isWork()) return void (await undo());
  terminal.print();
  const hint = 'waiting for calls in progress; press Ctrl-C again to cut them off';
  const failures = await showStep({ terminal, clock }, 'Stopping', undo, hint);
  for (const failure of failures.flatMap(sentencesOf)) {
    terminal.print(stepLine(terminal.paint.bad('✗'), failure, ''));
  }
}

function sentencesOf(error: unknown): readonly string[] {
  if (error instanceof EnvError) return error.message.split('\n');
  const isForTheUser = error instanceof CliError || error instanceof StoreSetupError || error instanceof MigrationError;
  if (isForTheUser) return [error.message];
  return [error instanceof Error ? String(error.stack) : String(error)];
}
