import { accountIdSchema, secretNameSchema, secretValueText } from '@outdial/contracts';
import type { SecretRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError, usageError } from '../../cli-error.ts';
import { formatTable } from '../../terminal/table.ts';
import { isoTime, shownTime } from '../columns.ts';
import { readVariable, variableField } from '../credential-inputs.ts';
import type { Json } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const NAME = [['<name>', 'such as CRM_TOKEN: A to Z, digits and underscores']] as const;

export function addSecretVerbs(program: Command, runVerb: RunVerb): void {
  const secrets = createNoun(program, 'secrets', 'Secrets of accounts, for the tools of their agents.');
  addVerb(secrets, runVerb, {
    name: 'set',
    summary: 'Save a secret, or replace its value. Nothing shows it again.',
    arguments: NAME,
    flags: [
      ['--account <id>', 'whose secret'],
      ['--from-env <variable>', 'the environment variable that holds the value'],
    ],
    examples: ['secrets set CRM_TOKEN --account <account-id> --from-env CRM_TOKEN'],
    changes: true,
    input: z.strictObject({ name: secretNameSchema, account: accountIdSchema, fromEnv: variableField }),
    async run(session, { name, account, fromEnv }) {
      const value = secretValueText.safeParse(readVariable(session, fromEnv));
      if (!value.success) throw usageError(`--from-env: the value in ${fromEnv} ${value.error.issues[0]?.message}`);
      const secretKey = await session.secretKey();
      const record = await session.administration.secretsOf(account).set({ name, value: value.data, secretKey });
      return { json: { secret: secretJson(record) }, text: [`Saved ${record.name}.`] };
    },
  });
  addVerb(secrets, runVerb, {
    name: 'list',
    summary: 'List the secrets of an account by name.',
    flags: [['--account <id>', 'whose secrets']],
    examples: ['secrets list --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: accountIdSchema }),
    async run({ administration }, { account }) {
      await administration.accounts.show(account);
      const list = await administration.secretsOf(account).list();
      return { json: { secrets: list.map(secretJson) }, text: secretTable(list) };
    },
  });
  addVerb(secrets, runVerb, {
    name: 'remove',
    summary: 'Delete a secret. Tools that name it fail from then on.',
    arguments: NAME,
    flags: [['--account <id>', 'whose secret']],
    examples: ['secrets remove CRM_TOKEN --account <account-id>'],
    changes: true,
    input: z.strictObject({ name: secretNameSchema, account: accountIdSchema }),
    async run({ administration }, { name, account }) {
      if (await administration.secretsOf(account).remove(name)) {
        return { json: { secret: null }, text: [`Removed ${name}.`] };
      }
      throw new CliError(`Account ${account} has no secret ${name}. List the secrets to find its name.`);
    },
  });
}

function secretJson({ name, createdAtMs, updatedAtMs }: SecretRecord): Json {
  return { name, created_at: isoTime(createdAtMs), updated_at: isoTime(updatedAtMs) };
}

function secretTable(secrets: readonly SecretRecord[]): readonly string[] {
  return formatTable<SecretRecord>(
    [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'CREATED', value: ({ createdAtMs }) => shownTime(createdAtMs) },
      { title: 'UPDATED', value: ({ updatedAtMs }) => shownTime(updatedAtMs) },
    ],
    secrets,
    'The account has no secrets yet: save one with `secrets set`.',
  );
}
