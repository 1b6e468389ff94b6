import { e164Schema, type E164 } from '@outdial/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DRIVERS, type Driver } from './driver.ts';

/** The test number that answers and talks. */
export const FIRST_CALLEE = e164Schema.parse('+12025550100');

export interface StartOptions {
  /** Create the demo account even in a database of the user's own. */
  readonly demo: boolean;
  /** Place a call to this number once everything runs; undefined places one on the first start only. */
  readonly call: E164 | undefined;
  /** What conducts the calls that the start places and shows; undefined leaves it to the carrier. */
  readonly driver: Driver | undefined;
  /** Replace lost secrets, although data saved under the old ones is lost for good. */
  readonly newSecrets: boolean;
}

/** @throws CommanderError, also for `--help`, after printing it. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const command = new Command('npm start --')
    .description('Runs Outdial on this machine: the API, a worker and, unless you set your own, Redis and Postgres.')
    .option('--call [number]', `place a call once everything runs (to ${FIRST_CALLEE} by default)`, parseNumber)
    .addOption(new Option('--driver <driver>', 'what conducts the first call (realtime by default)').choices(DRIVERS))
    .option('--demo', 'create the demo account in the database of DATABASE_URL too')
    .option(
      '--new-secrets',
      'replace a lost key pepper or secret key; API keys and trunk passwords that need the old one are lost',
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
        '  npm start -- --call --driver scripted',
        '  PORT=4000 OUTDIAL_DATA_DIR=/srv/outdial npm start',
        '  DATABASE_URL=postgresql://… REDIS_URL=redis://… npm start -- --demo',
      ].join('\n'),
    );
  command.parse([...args], { from: 'user' });
  const { demo, call, driver, newSecrets } = command.opts<{
    demo?: true;
    call?: true | E164;
    driver?: Driver;
    newSecrets?: true;
  }>();
  return {
    demo: demo === true,
    call: call === true ? FIRST_CALLEE : call,
    driver,
    newSecrets: newSecrets === true,
  };
}

function parseNumber(text: string): E164 {
  const number = e164Schema.safeParse(text);
  if (number.success) return number.data;
  throw new InvalidArgumentError(number.error.issues.map((issue) => issue.message).join('; '));
}
