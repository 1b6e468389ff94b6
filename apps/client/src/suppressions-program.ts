import { Option, type Command } from 'commander';
import { onAction, textOption, type Running } from './commands/command-context.ts';
import {
  addNumbers,
  checkNumbers,
  importNumbers,
  listSuppressions,
  removeSuppression,
} from './commands/suppressions.ts';
import { countOf } from './count-of.ts';

const KINDS = ['opt_out', 'manual'] as const;

/** `outdial suppressions`. */
export function addSuppressions(running: Running, program: Command): void {
  const suppressions = program.command('suppressions').description('the do-not-call list of the account');
  const add = suppressions
    .command('add')
    .description('put numbers on the list')
    .argument('<number...>', 'the numbers, such as +12025550143; at most 500')
    .option('--reason <text>', 'why; readers of the list see it');
  onAction(running, add, (context, { positional, options }) =>
    addNumbers(context, positional, textOption(options, 'reason')),
  );
  const check = suppressions
    .command('check')
    .description('ask whether numbers are on the list, or on that of the platform; exits 1 if one is')
    .argument('<number...>', 'the numbers; at most 500');
  onAction(running, check, (context, { positional }) => checkNumbers(context, positional));
  const remove = suppressions
    .command('remove')
    .description('take a manual entry off the list; an opt-out stands')
    .argument('<id>', 'the entry')
    .requiredOption('--reason <text>', 'why the number may be called again');
  onAction(running, remove, (context, { positional: [id = ''], options }) =>
    removeSuppression(context, id, textOption(options, 'reason') ?? ''),
  );
  addList(running, suppressions);
  addImport(running, suppressions);
}

function addList(running: Running, suppressions: Command): void {
  const list = suppressions
    .command('list')
    .description('the entries of the account, newest first')
    .option('--number <number>', 'only entries of this number')
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(KINDS))
    .option('--limit <count>', 'how many at most', countOf, 20);
  onAction(running, list, (context, { options }) => {
    const number = textOption(options, 'number');
    const kind = KINDS.find((each) => each === options['kind']);
    const filter = { ...(number === undefined ? {} : { number }), ...(kind === undefined ? {} : { kind }) };
    return listSuppressions(context, { filter, limit: Number(options['limit']) });
  });
}

function addImport(running: Running, suppressions: Command): void {
  const command = suppressions
    .command('import')
    .description('put the numbers of a CSV file on the list; exits 1 if a line is not valid, and adds the others')
    .argument('<file>', 'the file, or - for stdin; at most 64 MiB')
    .option('--column <name>', 'the column of the numbers, as the first line names it')
    .option('--reason <text>', 'why; readers of the list see it');
  onAction(running, command, (context, { positional: [file = ''], options }) => {
    const [column, reason] = [textOption(options, 'column'), textOption(options, 'reason')];
    const query = { ...(column === undefined ? {} : { column }), ...(reason === undefined ? {} : { reason }) };
    return importNumbers(context, file, query);
  });
}
