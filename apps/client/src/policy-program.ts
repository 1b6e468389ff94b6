import type { Command } from 'commander';
import { onAction, textOption, type Running } from './commands/command-context.ts';
import { checkPolicy, listPolicyVersions, setPolicy, showPolicy } from './commands/policy.ts';
import { countOf } from './count-of.ts';

/** `outdial policy`. */
export function addPolicy(running: Running, program: Command): void {
  const policy = program.command('policy').description('when, and how often, the account calls');
  const show = policy.command('show').description('the policy in force, and the floor that holds besides');
  onAction(running, show, (context) => showPolicy(context));
  const set = policy
    .command('set')
    .description('replace the whole policy; a day without times in a row of hours is closed')
    .argument('<file>', 'a JSON file as PUT /account/calling-policy takes it, or - for stdin');
  onAction(running, set, (context, { positional: [file = ''] }) => setPolicy(context, file));
  const check = policy
    .command('check')
    .description('ask whether a number may be called; exits 1 if not')
    .argument('<number>', 'the number, such as +12025550143')
    .option('--at <time>', 'at this time, such as 2026-12-07T09:00:00+01:00; now unless given')
    .option('--zone <zone>', 'the callee’s time zone, such as America/Denver');
  onAction(running, check, (context, { positional: [number = ''], options }) => {
    const [at, zone] = [textOption(options, 'at'), textOption(options, 'zone')];
    const more = { ...(at === undefined ? {} : { at }), ...(zone === undefined ? {} : { callee_time_zone: zone }) };
    return checkPolicy(context, { number, ...more });
  });
  const versions = policy
    .command('versions')
    .description('every policy that was in force, newest first')
    .option('--limit <count>', 'how many at most', countOf, 20);
  onAction(running, versions, (context, { options }) => listPolicyVersions(context, Number(options['limit'])));
}
