import { trunkNameSchema, type TrunkName } from '@outdial/contracts';
import type { NewTrunkCredentials, TrunkRecord, TrunkSettings } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';
import { readPassword } from '../read-input.ts';
import type { Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { TRUNK_FLAGS, trunkFields } from '../trunk-inputs.ts';
import { trunkJson, trunkReport, trunkTable } from '../trunk-report.ts';
import { addVerb, createNoun, type RunVerb, type Verb } from '../verb.ts';

const NAME = [['<name>', 'lowercase letters, digits and hyphens, such as main-1']] as const;
const nameOnly = z.strictObject({ name: trunkNameSchema });
const changesInput = z.strictObject({ name: trunkNameSchema, ...z.object(trunkFields).partial().shape });
const newInput = changesInput.extend({
  uri: trunkFields.uri,
  channels: trunkFields.channels,
  callsPerSecond: trunkFields.callsPerSecond,
});
type Changes = z.output<typeof changesInput>;

export function addTrunkVerbs(program: Command, runVerb: RunVerb): void {
  const trunks = createNoun(program, 'trunks', 'SIP trunks: the carriers that take calls.');
  addVerb(trunks, runVerb, {
    name: 'add',
    summary: 'Add a trunk, enabled.',
    arguments: NAME,
    flags: TRUNK_FLAGS,
    examples: [
      'trunks add main --uri sip:trunk.example --channels 30 --calls-per-second 5',
      'trunks add spare --uri sip:192.0.2.1:5070 --transport tcp --channels 10 --calls-per-second 2 --priority 20 --username alice --password-file -',
    ],
    changes: true,
    input: newInput,
    run: (session, input) => addTrunk(session, input),
  });
  addVerb(trunks, runVerb, {
    name: 'update',
    summary: 'Change a trunk. Flags that you leave out keep their value; active calls continue.',
    arguments: NAME,
    flags: TRUNK_FLAGS,
    examples: [
      'trunks update main --channels 60',
      "trunks update main --username ''",
      'trunks update main --health-check none',
    ],
    changes: true,
    input: changesInput,
    async run(session, { name, ...changes }) {
      if (Object.keys(changes).length === 0) throw usageError('Nothing to change: set at least one flag.');
      const settings = await changedSettings(session, name, changes);
      return trunkReport(await session.administration.trunks.update(name, settings));
    },
  });
  addVerb(trunks, runVerb, {
    name: 'list',
    summary: 'List the trunks in order of priority.',
    examples: ['trunks list', 'trunks list --json'],
    changes: false,
    input: z.strictObject({}),
    async run({ administration }) {
      const list = await administration.trunks.list();
      return { json: { trunks: list.map(trunkJson) }, text: trunkTable(list) };
    },
  });
  for (const verb of byName()) addVerb(trunks, runVerb, verb);
}

/** The verbs that take only a trunk's name. */
function byName(): readonly Verb<typeof nameOnly>[] {
  const common = { arguments: NAME, input: nameOnly, changes: true };
  return [
    {
      ...common,
      name: 'show',
      summary: 'Show a trunk. Its password is never shown.',
      examples: ['trunks show main'],
      changes: false,
      run: async ({ administration }, { name }) => trunkReport(await administration.trunks.show(name)),
    },
    {
      ...common,
      name: 'enable',
      summary: 'Send calls to a trunk again.',
      examples: ['trunks enable main'],
      run: async ({ administration }, { name }) => trunkReport(await administration.trunks.setEnabled(name, true)),
    },
    {
      ...common,
      name: 'disable',
      summary: 'Send no new calls to a trunk. Active calls continue.',
      examples: ['trunks disable main'],
      run: async ({ administration }, { name }) => trunkReport(await administration.trunks.setEnabled(name, false)),
    },
    {
      ...common,
      name: 'remove',
      summary: 'Remove a trunk. Disable it first, and wait until its calls have ended.',
      examples: ['trunks remove main'],
      async run({ administration }, { name }) {
        await administration.trunks.remove(name);
        return { json: { trunk: null }, text: [`Removed ${name}.`] };
      },
    },
  ];
}

async function addTrunk(session: AdminSession, { name, ...input }: z.output<typeof newInput>): Promise<Report> {
  const { uri, channels, callsPerSecond, callerPrefixes = [], assertCaller = false } = input;
  const record = await session.administration.trunks.add({
    name,
    uri,
    channels,
    callsPerSecond,
    transport: input.transport ?? 'udp',
    outboundProxy: input.outboundProxy ?? null,
    callerId: { prefixes: callerPrefixes, asserted: assertCaller },
    numberFormat: input.numberFormat ?? 'e164',
    codecs: input.codecs ?? ['PCMU', 'PCMA'],
    priority: input.priority ?? 10,
    weight: input.weight ?? 10,
    healthCheck: input.healthCheck ?? 'options',
    mediaSource: input.mediaSource ?? 'sdp_host',
    transfers: input.transfers ?? 'none',
    credentials: (await readCredentials(session, input)) ?? null,
  });
  return trunkReport(record);
}

async function changedSettings(
  session: AdminSession,
  name: TrunkName,
  { username, passwordFile, callerPrefixes, assertCaller, ...settings }: Omit<Changes, 'name'>,
): Promise<Partial<TrunkSettings> & { readonly credentials?: NewTrunkCredentials | null }> {
  const credentials = await readCredentials(session, { username, passwordFile });
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const rules =
    callerPrefixes === undefined && assertCaller === undefined
      ? {}
      : { callerId: mergedRules(await session.administration.trunks.show(name), { callerPrefixes, assertCaller }) };
  return { ...given, ...rules, ...(credentials === undefined ? {} : { credentials }) };
}

/** Either of the two rules may be given alone. */
function mergedRules(
  { callerId }: TrunkRecord,
  changes: Pick<Changes, 'callerPrefixes' | 'assertCaller'>,
): TrunkSettings['callerId'] {
  return {
    prefixes: changes.callerPrefixes ?? callerId.prefixes,
    asserted: changes.assertCaller ?? callerId.asserted,
  };
}

/**
 * Undefined: the flags were left out. Null: the trunk needs no credentials. The password comes from a file or
 * standard input because other users of the machine can read a command line.
 */
async function readCredentials(
  session: AdminSession,
  { username, passwordFile }: { readonly username?: string | undefined; readonly passwordFile?: string | undefined },
): Promise<NewTrunkCredentials | null | undefined> {
  if (username === undefined && passwordFile === undefined) return undefined;
  if (username === '' && passwordFile === undefined) return null;
  if (username === undefined || username === '')
    throw usageError('--username: is missing; --password-file requires it');
  if (passwordFile === undefined) throw usageError('--password-file: is missing; --username requires it');
  const password = await readPassword(passwordFile, session.stdin);
  return { username, password, secretKey: await session.secretKey() };
}
