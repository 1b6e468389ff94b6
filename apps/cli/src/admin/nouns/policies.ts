import {
  accountIdSchema,
  callingPolicySettingsSchema,
  policyPackSchema,
  type CallingPolicySettings,
  type PolicyPack,
} from '@outdial/contracts';
import type { OperatorPolicy } from '@outdial/persistence';
import { PACKS } from '@outdial/policies';
import type { Command } from 'commander';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';
import { readJsonFile } from '../json-file.ts';
import { NOT_ADVICE, policyReport, settingsJson, settingsText } from '../policy-report.ts';
import { inputName, readInput } from '../read-input.ts';
import type { Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const ACCOUNT = ['--account <id>', 'whose policy'] as const;
const SOURCE_FLAGS = [
  ['--pack <name>', 'built-in rules: standard, us or open'],
  ['--file <file>', 'JSON file with a policy, as PUT /account/calling-policy takes it; - reads standard input'],
] as const;
const sourceFields = { pack: policyPackSchema.optional(), file: z.string().optional() };
const NO_INPUT = z.strictObject({});

interface Source {
  readonly pack?: PolicyPack | undefined;
  readonly file?: string | undefined;
}

async function readSettings({ stdin }: AdminSession, { pack, file }: Source): Promise<CallingPolicySettings> {
  if (pack !== undefined && file === undefined) return PACKS[pack].settings;
  if (file === undefined || pack !== undefined) throw usageError('--pack: set either --pack <name> or --file <file>');
  return readJsonFile(callingPolicySettingsSchema, 'The policy', await readInput(file, stdin), inputName(file));
}

export function addPolicyVerbs(program: Command, runVerb: RunVerb): void {
  const policy = createNoun(program, 'policy', 'Calling policies: when, and how often, accounts call.');
  addVerb(policy, runVerb, {
    name: 'show',
    summary: 'Show the policy of an account, and the floor that holds besides.',
    flags: [ACCOUNT],
    examples: ['policy show --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: accountIdSchema }),
    run: async ({ administration }, { account }) => policyReport(await administration.policies.show(account)),
  });
  addVerb(policy, runVerb, {
    name: 'set',
    summary: 'Put a policy of an account in force. No dial against it begins more than a second later.',
    flags: [ACCOUNT, ...SOURCE_FLAGS],
    examples: ['policy set --account <account-id> --pack us', 'policy set --account <account-id> --file policy.json'],
    changes: true,
    input: z.strictObject({ account: accountIdSchema, ...sourceFields }),
    async run(session, { account, ...source }) {
      const { policies } = session.administration;
      const saved = await policies.save(account, await readSettings(session, source));
      if (!saved.isNew) return policyReport(saved, ['The policy was in force already.']);
      return policyReport(saved, [`Saved.${lookedAgain(await policies.lookAgain(account))}`]);
    },
  });
  addFloorVerbs(policy, runVerb);
  addDefaultVerbs(policy, runVerb);
}

function addFloorVerbs(policy: Command, runVerb: RunVerb): void {
  const floor = createNoun(policy, 'floor', 'Rules that hold for every account, besides its own.');
  addShowVerb(floor, runVerb, 'floor', 'There is no floor: the policy of each account holds alone.');
  addVerb(floor, runVerb, {
    name: 'set',
    summary:
      'Set the floor. What it closes is closed for every account, and its caps hold for each; it opens nothing that an account closes.',
    flags: SOURCE_FLAGS,
    examples: ['policy floor set --pack us', 'policy floor set --file floor.json'],
    changes: true,
    input: z.strictObject(sourceFields),
    run: async (session, source) => changeFloor(session, await readSettings(session, source)),
  });
  addVerb(floor, runVerb, {
    name: 'clear',
    summary: 'Take the floor away: the policy of each account then holds alone.',
    examples: ['policy floor clear'],
    changes: true,
    input: NO_INPUT,
    run: (session) => changeFloor(session, null),
  });
}

async function changeFloor(
  { administration: { policies } }: AdminSession,
  settings: CallingPolicySettings | null,
): Promise<Report> {
  const changed = await policies.floor.set(settings);
  const looked = changed ? lookedAgain(await policies.lookAgain(null)) : '';
  const says =
    settings === null
      ? 'There is no floor: the policy of each account holds alone.'
      : 'The floor holds for every account, besides its own policy: what either closes is closed, and the caps of both hold.';
  return operatorReport('floor', settings, `${changed ? '' : 'Nothing changed. '}${says}${looked}`);
}

function addDefaultVerbs(policy: Command, runVerb: RunVerb): void {
  const ofNew = createNoun(policy, 'default', 'What the policy of a new account begins with.');
  addShowVerb(
    ofNew,
    runVerb,
    'default',
    'It is not stored yet: the first start of the API stores OUTDIAL_DEFAULT_POLICY.',
  );
  addVerb(ofNew, runVerb, {
    name: 'set',
    summary: 'Set what new accounts begin with. Accounts that exist keep their policies.',
    flags: SOURCE_FLAGS,
    examples: ['policy default set --pack us', 'policy default set --file policy.json'],
    changes: true,
    input: z.strictObject(sourceFields),
    async run(session, source) {
      const settings = await readSettings(session, source);
      const changed = await session.administration.policies.default.set(settings);
      const says = 'New accounts begin with this policy. Accounts that exist keep theirs.';
      return operatorReport('default', settings, `${changed ? '' : 'Nothing changed. '}${says}`);
    },
  });
}

type Which = 'floor' | 'default';

function addShowVerb(noun: Command, runVerb: RunVerb, which: Which, none: string): void {
  addVerb(noun, runVerb, {
    name: 'show',
    summary: which === 'floor' ? 'Show the floor.' : 'Show the policy that new accounts begin with.',
    examples: [`policy ${which} show`],
    changes: false,
    input: NO_INPUT,
    async run({ administration: { policies } }) {
      const stored: OperatorPolicy = policies[which];
      const settings = await stored.show();
      return operatorReport(which, settings, settings === null ? none : 'In force:');
    },
  });
}

function operatorReport(which: Which, settings: CallingPolicySettings | null, says: string): Report {
  return {
    json: { [which]: settings === null ? null : settingsJson(settings) },
    text: [says, ...(settings === null ? [] : settingsText(settings))],
    notes: settings === null ? [] : [NOT_ADVICE],
  };
}

function lookedAgain(calls: number): string {
  if (calls === 0) return '';
  return ` ${calls} ${calls === 1 ? 'call that waited is' : 'calls that waited are'} looked at again.`;
}
