import { InvalidArgumentError, Option, type Command } from 'commander';
import { placeCall } from './commands/call.ts';
import { onAction, textOption, type Running } from './commands/command-context.ts';
import { addRetryOptions, retryIn } from './retry-options.ts';

const ON_CLOSED = ['wait', 'reject'] as const;

const EXAMPLES = `
Examples:
  outdial call +12025550100 --agent Reminder --var name=Ada --follow
  outdial call +12025550100 --agent Reminder --at 2026-12-07T09:00:00+01:00
  outdial call +12025550100 --agent Reminder --queue --retry 3 --retry-on busy,no_answer --retry-after 900,3600`;

/** `outdial call`. */
export function addCall(running: Running, program: Command): void {
  const command = program
    .command('call')
    .description('place a call, now or later')
    .argument('<number>', 'the number to call, such as +12025550100')
    .requiredOption('--agent <name>', 'the agent, by its name or its id')
    .option('--var <name=value>', 'a variable of the agent; repeat it for more', addVariable, {})
    .option('--from <number>', 'one of your numbers')
    .option('--at <time>', 'not before this time, such as 2026-12-07T09:00:00+01:00')
    .option('--expires-at <time>', 'give up at this time')
    .option('--queue', 'wait for a slot if all are in use')
    .addOption(
      new Option('--on-closed <what>', 'if the callee’s hours are closed: wait for them, or place no call').choices(
        ON_CLOSED,
      ),
    )
    .option('--zone <zone>', 'the callee’s time zone, such as America/Denver')
    .option('--idempotency-key <key>', 'the same key never places a second call')
    .option('--follow', 'show each state, and the transcript at the end')
    .addHelpText('after', EXAMPLES);
  addRetryOptions(command);
  onAction(running, command, (context, { positional: [to = ''], options }) =>
    placeCall(context, {
      to,
      agent: textOption(options, 'agent') ?? '',
      from: textOption(options, 'from'),
      at: textOption(options, 'at'),
      expiresAt: textOption(options, 'expiresAt'),
      queue: options['queue'] === true,
      onClosed: ON_CLOSED.find((each) => each === options['onClosed']),
      zone: textOption(options, 'zone'),
      retry: retryIn(options),
      idempotencyKey: textOption(options, 'idempotencyKey'),
      variables: textsIn(options['var']),
      follow: options['follow'] === true,
    }),
  );
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}

function addVariable(text: string, earlier: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}
