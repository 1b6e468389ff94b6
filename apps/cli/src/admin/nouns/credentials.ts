import { credentialIdSchema, e164Schema, PROVIDERS, type AccountId, type CredentialId } from '@outdial/contracts';
import { checkCredential } from '@outdial/providers';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError, usageError } from '../../cli-error.ts';
import { callOnCredential } from '../call-on-credential.ts';
import {
  changedLimitFields,
  newCredentialFields,
  NO_KEY,
  OWNER_FLAG,
  ownerField,
  readProviderKey,
  requireAddress,
  requireNameAndKey,
  VARIABLE_FLAG,
  variableField,
} from '../credential-inputs.ts';
import { credentialJson, credentialReport, credentialsJson, credentialTable } from '../credential-report.ts';
import type { Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const ID = [['<credential-id>', 'from `credentials list`']] as const;
/** Answers, and talks with the agent. */
const DEMO_CALLEE = e164Schema.parse('+12025550100');
const newInput = z.strictObject(newCredentialFields).superRefine(requireNameAndKey);

export function addCredentialVerbs(program: Command, runVerb: RunVerb): void {
  const credentials = createNoun(program, 'credentials', 'Keys of model providers: the operator’s, or an account’s.');
  addAddVerb(credentials, runVerb);
  addListVerb(credentials, runVerb);
  addUpdateVerb(credentials, runVerb);
  addCheckVerb(credentials, runVerb);
  addCallVerb(credentials, runVerb);
  addRotateVerb(credentials, runVerb);
  addRemoveVerb(credentials, runVerb);
}

function addAddVerb(credentials: Command, runVerb: RunVerb): void {
  addVerb(credentials, runVerb, {
    name: 'add',
    summary: 'Save a key. It is sealed, and nothing shows it again.',
    arguments: [['<provider>', PROVIDERS.join(', ')]],
    flags: [
      ['--name <text>', 'settings of agents name it (default for local: local)'],
      ['--from-env <variable>', 'the environment variable that holds the key; not needed for local'],
      OWNER_FLAG,
      ['--base-url <url>', 'the address, if not the provider’s own; required for azure, openai_compatible and local'],
      ['--region <name>', 'the provider’s region, such as eu'],
      ['--limits-group <name>', 'credentials of one project of the provider share their limits'],
      ['--max-calls <n>', 'the most calls at once'],
      ['--starts-per-second <n>', 'the most calls that start in a second'],
      ['--max-generations <n>', 'the most texts that its voices speak at once, in each worker'],
    ],
    examples: [
      'credentials add openai --name main --from-env OPENAI_API_KEY',
      'credentials add openai_compatible --name proxy --from-env PROXY_KEY --base-url https://models.example.com/v1',
      'credentials add local --base-url http://10.20.0.7:8000/v1 --max-calls 8',
    ],
    changes: true,
    input: newInput,
    run: addCredential,
  });
}

function addListVerb(credentials: Command, runVerb: RunVerb): void {
  addVerb(credentials, runVerb, {
    name: 'list',
    summary: 'List the operator’s credentials, or an account’s, with the models that take no calls now.',
    flags: [OWNER_FLAG],
    examples: ['credentials list', 'credentials list --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: ownerField }),
    async run({ administration, openBreakers }, { account = null }) {
      if (account !== null) await administration.accounts.show(account);
      const { credentials: list } = await administration.credentialsOf(account).list();
      const breakers = await openBreakers();
      return { json: credentialsJson(list, breakers), text: credentialTable(list, breakers) };
    },
  });
}

function addUpdateVerb(credentials: Command, runVerb: RunVerb): void {
  addVerb(credentials, runVerb, {
    name: 'update',
    summary: 'Change the limits of a credential. Flags that you leave out keep their value; open calls go on.',
    arguments: ID,
    flags: [
      OWNER_FLAG,
      ['--max-calls <n>', 'the most calls at once; default: as the provider has it'],
      ['--starts-per-second <n>', 'the most calls that start in a second; default: as the provider has it'],
      ['--max-generations <n>', 'the most texts that its voices speak at once, in each worker; default: no limit'],
    ],
    examples: [
      'credentials update 3f1d2a9e-0000-4000-8000-000000000001 --max-calls 40',
      'credentials update 3f1d2a9e-0000-4000-8000-000000000001 --starts-per-second default',
    ],
    changes: true,
    input: z.strictObject({ credentialId: credentialIdSchema, account: ownerField, ...changedLimitFields }),
    async run({ administration }, { credentialId, account = null, maxCalls, startsPerSecond, maxGenerations }) {
      if (maxCalls === undefined && startsPerSecond === undefined && maxGenerations === undefined) {
        throw usageError('Nothing to change: set at least one flag.');
      }
      const limits = { maxConcurrentCalls: maxCalls, startsPerSecond, maxGenerations };
      const record = await administration.credentialsOf(account).setLimits(credentialId, limits);
      if (record === null) throw unknownCredential(account, credentialId);
      return credentialReport(record);
    },
  });
}

function addCheckVerb(credentials: Command, runVerb: RunVerb): void {
  addVerb(credentials, runVerb, {
    name: 'check',
    summary: 'Ask the provider whether the key is valid: one request without tokens, at most 10 s.',
    arguments: ID,
    flags: [OWNER_FLAG, ['--model <name>', 'also ask whether the provider has this model']],
    examples: ['credentials check 3f1d2a9e-0000-4000-8000-000000000001 --model gpt-realtime-2.1'],
    changes: false,
    input: z.strictObject({
      credentialId: credentialIdSchema,
      account: ownerField,
      model: z.string().min(1).optional(),
    }),
    run: (session, { credentialId, account = null, model }) => check(session, account, credentialId, model),
  });
}

function addCallVerb(credentials: Command, runVerb: RunVerb): void {
  addVerb(credentials, runVerb, {
    name: 'call',
    summary: 'Call a test number with the demo account, by an agent on this credential, and show what was said.',
    arguments: [['<name>', 'of an openai credential of the operator']],
    flags: [['--to <number>', `the number to call (default: ${DEMO_CALLEE})`]],
    examples: ['credentials call main', `credentials call main --to +12025550102`],
    changes: true,
    input: z.strictObject({ name: z.string(), to: e164Schema.default(DEMO_CALLEE) }),
    run: callOnCredential,
  });
}

function addRotateVerb(credentials: Command, runVerb: RunVerb): void {
  addVerb(credentials, runVerb, {
    name: 'rotate',
    summary: 'Replace the key. New calls use it; open calls go on with the old one.',
    arguments: ID,
    flags: [VARIABLE_FLAG, OWNER_FLAG],
    examples: ['credentials rotate 3f1d2a9e-0000-4000-8000-000000000001 --from-env OPENAI_API_KEY'],
    changes: true,
    input: z.strictObject({ credentialId: credentialIdSchema, fromEnv: variableField, account: ownerField }),
    async run(session, { credentialId, fromEnv, account = null }) {
      const key = { apiKey: readProviderKey(session, fromEnv), secretKey: await session.secretKey() };
      const record = await session.administration.credentialsOf(account).rotate(credentialId, key);
      if (record === null) throw unknownCredential(account, credentialId);
      return credentialReport(record);
    },
  });
}

function addRemoveVerb(credentials: Command, runVerb: RunVerb): void {
  addVerb(credentials, runVerb, {
    name: 'remove',
    summary: 'Delete a key. Open calls go on; agents that need it place no more calls.',
    arguments: ID,
    flags: [OWNER_FLAG],
    examples: ['credentials remove 3f1d2a9e-0000-4000-8000-000000000001'],
    changes: true,
    input: z.strictObject({ credentialId: credentialIdSchema, account: ownerField }),
    async run({ administration }, { credentialId, account = null }) {
      const record = await administration.credentialsOf(account).remove(credentialId);
      if (record === null) throw unknownCredential(account, credentialId);
      return { json: { credential: null }, text: [`Removed ${record.name}.`] };
    },
  });
}

async function addCredential(session: AdminSession, input: z.output<typeof newInput>): Promise<Report> {
  const { provider, name = provider, fromEnv, account: owner = null, baseUrl, region, maxCalls, ...limits } = input;
  requireAddress(session, { provider, baseUrl, region, owner });
  const apiKey = fromEnv === undefined ? NO_KEY : readProviderKey(session, fromEnv);
  const record = await session.administration.credentialsOf(owner).create({
    ...limits,
    provider,
    name,
    apiKey,
    baseUrl: baseUrl ?? null,
    region: region ?? null,
    maxConcurrentCalls: maxCalls,
    secretKey: await session.secretKey(),
  });
  return credentialReport(record);
}

async function check(
  session: AdminSession,
  owner: AccountId | null,
  credentialId: CredentialId,
  model: string | undefined,
): Promise<Report> {
  const credentials = session.administration.credentialsOf(owner);
  const opened = await credentials.open(credentialId, await session.secretKey());
  if (opened === null) throw unknownCredential(owner, credentialId);
  if (opened.kind === 'unreadable') {
    throw new CliError('The key was sealed with another secret key: set OUTDIAL_SECRET_KEY to that one, or rotate it.');
  }
  const { credential, apiKey } = opened;
  const found = await checkCredential(session.egress, { credential: { ...credential, apiKey }, model });
  const record = (await credentials.recordCheck(credential, found.result)) ?? credential;
  return {
    json: { credential: credentialJson(record), check: { result: found.result, message: found.message } },
    text: [`${found.result}: ${found.message}`],
  };
}

function unknownCredential(owner: AccountId | null, id: CredentialId): CliError {
  const whose = owner === null ? 'The operator' : `Account ${owner}`;
  return new CliError(`${whose} has no credential ${id}. List the credentials to find its id.`);
}
