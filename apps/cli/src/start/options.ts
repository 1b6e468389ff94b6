import { e164Schema, type E164 } from '@outdial/contracts';
import { Command, InvalidArgumentError } from 'commander';

/** The test number that answers and has a conversation. */
export const FIRST_CALLEE = e164Schema.parse('+12025550100');

export interface StartOptions {
  /** Makes the demo account also in a database of the user's own. */
  readonly demo: boolean;
  /** Places a call to this number once everything runs; undefined leaves that to the first start. */
  readonly call: E164 | undefined;
  /** Makes lost secrets anew, though what was saved under the old ones can never be used again. */
  readonly newSecrets: boolean;
}

/** @throws CommanderError, also for `--help`, which it has printed by then. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const command = new Command('npm start --')
    .description('Runs Outdial on this machine: the API, a worker and, unless you name your own, Redis and Postgres.')
    .option('--call [number]', `place a call once everything runs (to ${FIRST_CALLEE} if none is named)`, parseNumber)
    .option('--demo', 'make the demo account also in the database that DATABASE_URL names')
    .option(
      '--new-secrets',
      'make a lost key pepper or secret key anew: API keys and trunk passwords made under the old stay lost',
    )
    .allowExcessArguments(false)
    .exitOverride()
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  npm start',
        '  npm start -- --call +12025550106',
        '  PORT=4000 OUTDIAL_DATA_DIR=/srv/outdial npm start',
        '  DATABASE_URL=postgresql://… REDIS_URL=redis://… npm start -- --demo',
      ].join('\n'),
    );
  command.parse([...args], { from: 'user' });
  const { demo, call, newSecrets } = command.opts<{ demo?: true; call?: true | E164; newSecrets?: true }>();
  return {
    demo: demo === true,
    call: call === true ? FIRST_CALLEE : call,
    newSecrets: newSecrets === true,
  };
}

function parseNumber(text: string): E164 {
  const number = e164Schema.safeParse(text);
  if (number.success) return number.data;
  throw new InvalidArgumentError(number.error.issues.map((issue) => issue.message).join('; '));
}
