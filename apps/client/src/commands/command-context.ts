import type { Outdial } from '@outdial/sdk';
import type { Command } from 'commander';
import { openClient } from '../config/open-client.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { print, type Report } from '../terminal/report.ts';

/** What every command has. */
export interface CommandContext {
  readonly io: Io;
  readonly isJson: boolean;
  readonly profile: string | undefined;
  print(report: Report): void;
  /** @throws CommandError before a login */
  client(): Promise<Outdial>;
}

/** What was given on the command line. */
export interface Given {
  readonly positional: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Runs the work of a command, and reports how it ended. */
export interface Running {
  readonly io: Io;
  readonly ended: (code: ExitCode) => void;
}

/** Gives a command its work. */
export function onAction(
  { io, ended }: Running,
  command: Command,
  work: (context: CommandContext, given: Given) => Promise<ExitCode>,
): void {
  command.action(async () => {
    const options: Given['options'] = command.optsWithGlobals();
    const profile = textOption(options, 'profile');
    const isJson = options['json'] === true;
    const context: CommandContext = {
      io,
      isJson,
      profile,
      print: (report) => print(io, isJson, report),
      client: () => openClient(io, profile),
    };
    ended(await work(context, { positional: command.args, options }));
  });
}

export function textOption(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
