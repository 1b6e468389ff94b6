import type { Command } from 'commander';
import type { z } from 'zod';
import { usageError } from '../cli-error.ts';
import type { Report } from './report.ts';
import type { AdminSession } from './session.ts';

/** One command, `<noun> <verb>`. Commander finds the values; `input` parses them from text. */
export interface Verb<Input extends z.ZodObject> {
  readonly name: string;
  readonly summary: string;
  /** The positional arguments in order, such as `<account-id>`. */
  readonly arguments?: readonly (readonly [usage: string, description: string])[];
  /** Flags such as `--name <text>`; the schema decides which are required. */
  readonly flags?: readonly (readonly [usage: string, description: string])[];
  /** Complete command lines, to follow `npm run admin --`. */
  readonly examples: readonly string[];
  /** Whether the command changes anything; if so it takes `--actor` for the audit. */
  readonly changes: boolean;
  /** A field for each argument and flag, in camel case. */
  readonly input: Input;
  readonly run: (session: AdminSession, input: z.output<Input>) => Promise<Report>;
}

/** What runs around a verb once its input is valid. */
export type RunVerb = (
  options: { readonly json: boolean; readonly actor: string | undefined },
  work: (session: AdminSession) => Promise<Report>,
) => Promise<void>;

/** A noun: a group of verbs, with the description that `--help` shows. */
export function createNoun(program: Command, name: string, summary: string): Command {
  return program.command(name).description(summary).helpCommand(false);
}

export function addVerb<Input extends z.ZodObject>(noun: Command, runVerb: RunVerb, verb: Verb<Input>): void {
  const command = noun.command(verb.name).description(verb.summary).allowExcessArguments(false);
  for (const [usage, description] of verb.arguments ?? []) command.argument(usage, description);
  for (const [usage, description] of verb.flags ?? []) command.option(usage, description);
  if (verb.changes) command.option('--actor <name>', 'the name to record in the audit (default: your login name)');
  command.option('--json', 'print JSON instead of text');
  command.addHelpText(
    'after',
    ['', 'Examples:', ...verb.examples.map((line) => `  npm run admin -- ${line}`)].join('\n'),
  );
  command.action(async () => {
    const { json, actor, ...flags } = command.opts<Record<string, unknown>>();
    const input = parseInput(verb, { ...flags, ...namedArguments(command) });
    const frame = { json: json === true, actor: typeof actor === 'string' ? actor : undefined };
    await runVerb(frame, (session) => verb.run(session, input));
  });
}

function namedArguments(command: Command): Record<string, unknown> {
  const given = command.registeredArguments.map((argument, index) => [
    camelCase(argument.name()),
    command.processedArgs[index] as unknown,
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** @throws a usage error that names every invalid flag or argument. */
function parseInput<Input extends z.ZodObject>(verb: Verb<Input>, given: Record<string, unknown>): z.output<Input> {
  const result = verb.input.safeParse(given);
  if (result.success) return result.data;
  const messages = new Map<string, string>();
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? '');
    const isMissing = issue.code === 'invalid_type' && given[field] === undefined;
    // Only the first message per field: an invalid value usually fails several checks.
    if (!messages.has(field)) messages.set(field, isMissing ? 'is missing' : issue.message);
  }
  throw usageError([...messages].map(([field, message]) => `${usageOf(verb, field)}: ${message}`).join('\n'));
}

/** As the user types it: `--idempotency-key` or `<account-id>`. */
function usageOf(verb: Pick<Verb<z.ZodObject>, 'arguments'>, field: string): string {
  const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const isArgument = (verb.arguments ?? []).some(([usage]) => usage.replace(/[<>[\]]/g, '') === name);
  return isArgument ? `<${name}>` : `--${name}`;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
