/** `npm start`. */
import { EnvError, systemClock } from '@outdial/kernel';
import { StoreSetupError } from '@outdial/local-stores';
import { MigrationError } from '@outdial/migrations';
import { CommanderError } from 'commander';
import { CliError } from '../cli-error.ts';
import { showStep, stepLine } from '../terminal/step.ts';
import { createTerminal } from '../terminal/terminal.ts';
import { createCleanup } from './cleanup.ts';
import { readStartConfig } from './config.ts';
import { parseStartOptions } from './options.ts';
import { runStart } from './run-start.ts';
import { aborted, listenForStop } from './stop-signals.ts';

// A terminal that was closed takes no more text, and what runs must still be stopped in good order.
process.stdout.on('error', () => {});
const terminal = createTerminal(process.stdout, process.env);
const stop = listenForStop(process, systemClock);
const cleanup = createCleanup();

async function main(): Promise<number> {
  try {
    const options = parseStartOptions(process.argv.slice(2));
    const config = readStartConfig(process.env);
    terminal.print(`\n  ${terminal.paint.strong('Outdial')}\n`);
    const start = runStart({ options, config, env: process.env, terminal, clock: systemClock, stop, cleanup });
    // Who asks twice does not wait for a download or a set-up: what it has begun ends with this process.
    await Promise.race([start, aborted(stop.forced)]);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    for (const sentence of sentencesOf(error)) terminal.print(stepLine(terminal.paint.bad('✗'), sentence, ''));
    return error instanceof CliError ? error.exitCode : 1;
  } finally {
    await shutDown();
  }
}

/** The services first, then the stores that they write to. */
async function shutDown(): Promise<void> {
  const undo = async () => ({ result: await cleanup.run(), detail: 'done' });
  if (!cleanup.isWork()) return void (await undo());
  terminal.print();
  const hint = 'calls in progress may end first; Ctrl-C again cuts them off';
  const failures = await showStep({ terminal, clock: systemClock }, 'Stopping', undo, hint);
  for (const failure of failures.flatMap(sentencesOf)) {
    terminal.print(stepLine(terminal.paint.bad('✗'), failure, ''));
  }
}

function sentencesOf(error: unknown): readonly string[] {
  if (error instanceof EnvError) return error.message.split('\n');
  const isUsersToMend =
    error instanceof CliError || error instanceof StoreSetupError || error instanceof MigrationError;
  if (isUsersToMend) return [error.message];
  return [error instanceof Error ? String(error.stack) : String(error)];
}

process.exit(await main());
