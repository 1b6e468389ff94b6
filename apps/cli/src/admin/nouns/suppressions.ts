import {
  accountIdSchema,
  e164Schema,
  MOST_NUMBERS_AT_ONCE,
  SUPPRESSION_KINDS,
  suppressionIdSchema,
  type AccountId,
} from '@outdial/contracts';
import { importNumbers, NumbersFileError, type ImportReport } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError, usageError } from '../../cli-error.ts';
import { wholeNumberText } from '../inputs.ts';
import { inputName, openInput } from '../read-input.ts';
import type { AdminSession } from '../session.ts';
import { checksReport, entryJson, importReport, listReport } from '../suppression-report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

/** The two flags that say whose list. */
const LIST_FLAGS = [
  ['--account <id>', 'the list of an account'],
  ['--platform', 'the list that holds for all accounts'],
] as const;
const listFields = { account: accountIdSchema.optional(), platform: z.literal(true).optional() };
const REASON_FLAG = ['--reason <text>', 'why, for the list and the audit'] as const;
const reasonField = z.string().trim().min(1, 'must not be empty').max(500, 'must be at most 500 characters');
const NUMBERS = [['<numbers>', 'E.164, with commas between; at most 500']] as const;
const numbersField = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(e164Schema).max(MOST_NUMBERS_AT_ONCE, `must be at most ${MOST_NUMBERS_AT_ONCE} numbers`));

interface ListInput {
  readonly account?: AccountId | undefined;
  readonly platform?: true | undefined;
}

/** The list that was named. A forgotten flag must not block a number for everybody. */
async function listOf({ administration }: AdminSession, { account, platform }: ListInput) {
  if ((account === undefined) === (platform === undefined)) {
    throw usageError('--account: set either --account <id> or --platform');
  }
  if (account !== undefined) await administration.accounts.show(account);
  return administration.suppressionsOf(account ?? null);
}

export function addSuppressionVerbs(program: Command, runVerb: RunVerb): void {
  const noun = createNoun(program, 'suppressions', 'Do-not-call lists: an account’s, or the platform’s.');
  addAddVerb(noun, runVerb);
  addRemoveVerb(noun, runVerb);
  addListVerb(noun, runVerb);
  addCheckVerb(noun, runVerb);
  addImportVerb(noun, runVerb);
}

function addAddVerb(noun: Command, runVerb: RunVerb): void {
  addVerb(noun, runVerb, {
    name: 'add',
    summary: 'Put numbers on a list. No dial to them begins more than a second later.',
    arguments: NUMBERS,
    flags: [...LIST_FLAGS, REASON_FLAG],
    examples: [
      'suppressions add +12025550143 --account <account-id>',
      "suppressions add +12025550143,+12025550144 --platform --reason 'a regulator asked'",
    ],
    changes: true,
    input: z.strictObject({ numbers: numbersField, ...listFields, reason: reasonField.optional() }),
    async run(session, { numbers, reason, ...whose }) {
      const outcome = await (await listOf(session, whose)).add({ numbers, reason });
      if (outcome.kind === 'too_many') throw tooMany(outcome.limit);
      return { json: { added: outcome.added }, text: [`Added ${outcome.added}; the others were on the list already.`] };
    },
  });
}

function addRemoveVerb(noun: Command, runVerb: RunVerb): void {
  addVerb(noun, runVerb, {
    name: 'remove',
    summary:
      'Take an entry off a list. This is the only way to lift an opt-out: do it when the person asks to be called.',
    arguments: [['<suppression-id>', 'from `suppressions list`']],
    flags: [...LIST_FLAGS, REASON_FLAG],
    examples: [
      "suppressions remove 3f1d2a9e-0000-4000-8000-000000000001 --account <account-id> --reason 'asked to be called again'",
    ],
    changes: true,
    input: z.strictObject({ suppressionId: suppressionIdSchema, ...listFields, reason: reasonField }),
    async run(session, { suppressionId, reason, ...whose }) {
      const outcome = await (await listOf(session, whose)).remove({ id: suppressionId, reason });
      if (outcome.kind !== 'removed') {
        throw new CliError(`The list has no entry ${suppressionId}. List the entries to find its id.`);
      }
      const { suppression } = outcome;
      return {
        json: { suppression: entryJson(suppression) },
        text: [`Removed the ${suppression.kind} entry of ${suppression.number}.`],
      };
    },
  });
}

function addListVerb(noun: Command, runVerb: RunVerb): void {
  addVerb(noun, runVerb, {
    name: 'list',
    summary: 'List the entries of a list, newest first.',
    flags: [
      ...LIST_FLAGS,
      ['--number <number>', 'only entries of this number'],
      ['--kind <kind>', `only entries of this kind: ${SUPPRESSION_KINDS.join(', ')}`],
      ['--limit <n>', 'how many at most, up to 1000 (default: 50)'],
    ],
    examples: ['suppressions list --platform', 'suppressions list --account <account-id> --kind opt_out'],
    changes: false,
    input: z.strictObject({
      ...listFields,
      number: e164Schema.optional(),
      kind: z.enum(SUPPRESSION_KINDS, `must be ${SUPPRESSION_KINDS.join(' or ')}`).optional(),
      limit: wholeNumberText({ min: 1, max: 1_000 }).default(50),
    }),
    async run(session, { number, kind, limit, ...whose }) {
      return listReport(await (await listOf(session, whose)).page({ after: null, limit, number, kind }));
    },
  });
}

function addCheckVerb(noun: Command, runVerb: RunVerb): void {
  addVerb(noun, runVerb, {
    name: 'check',
    summary: 'Check which numbers are on a list. An account’s numbers are checked against the platform’s list too.',
    arguments: NUMBERS,
    flags: LIST_FLAGS,
    examples: ['suppressions check +12025550143 --account <account-id>'],
    changes: false,
    input: z.strictObject({ numbers: numbersField, ...listFields }),
    run: async (session, { numbers, ...whose }) => checksReport(await (await listOf(session, whose)).check(numbers)),
  });
}

function addImportVerb(noun: Command, runVerb: RunVerb): void {
  addVerb(noun, runVerb, {
    name: 'import',
    summary: 'Add the numbers of a CSV file. Lines that are not valid are reported, and the others added.',
    arguments: [['<file>', 'the CSV file, one number a line or a column; - reads standard input']],
    flags: [...LIST_FLAGS, ['--column <name>', 'the column of the numbers, as the first line names it'], REASON_FLAG],
    examples: [
      'suppressions import numbers.csv --platform',
      'suppressions import crm.csv --account <account-id> --column phone',
    ],
    changes: true,
    input: z.strictObject({
      file: z.string(),
      ...listFields,
      column: z.string().min(1).optional(),
      reason: reasonField.optional(),
    }),
    async run(session, { file, column, reason, ...whose }) {
      const importing = (await listOf(session, whose)).beginImport({ reason });
      return importReport(await importFile(session, file, { column, add: (numbers) => importing.add(numbers) }));
    },
  });
}

async function importFile(
  { stdin }: AdminSession,
  file: string,
  work: Parameters<typeof importNumbers>[1],
): Promise<ImportReport> {
  try {
    const report = await importNumbers(openInput(file, stdin), work);
    if (report.limit === null) return report;
    throw tooMany(report.limit, `${report.added} numbers of the file were added. `);
  } catch (error) {
    if (error instanceof NumbersFileError) throw new CliError(`Correct ${inputName(file)}: ${error.message}.`);
    throw error;
  }
}

function tooMany(limit: number, before = ''): CliError {
  return new CliError(`${before}The account’s list may have ${limit} manual entries: remove some first.`);
}
