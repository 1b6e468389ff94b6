import { accountIdSchema, agentIdSchema, requiredVariables } from '@outdial/contracts';
import type { AgentRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatFacts, formatTable } from '../../terminal/table.ts';
import { parseAgentSettings } from '../agent-settings-file.ts';
import { isoTime, shownTime } from '../columns.ts';
import { inputName, readInput } from '../read-input.ts';
import type { Json, Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const SETTINGS = ['--settings <file>', 'JSON file with the settings; - reads standard input'] as const;
const AGENT_ID = [['<agent-id>', 'from `agents list`']] as const;

export function addAgentVerbs(program: Command, runVerb: RunVerb): void {
  const agents = createNoun(program, 'agents', 'Agents speak on calls.');
  addSettingsVerbs(agents, runVerb);
  addVerb(agents, runVerb, {
    name: 'list',
    summary: 'List the agents that an account may use: its own and those granted to it.',
    flags: [['--account <id>', 'whose agents']],
    examples: ['agents list --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: accountIdSchema }),
    async run({ administration }, { account }) {
      await administration.accounts.show(account);
      const list = await administration.agents.list(account);
      return { json: { agents: list.map(agentJson) }, text: agentTable(list) };
    },
  });
  addVerb(agents, runVerb, {
    name: 'show',
    summary: 'Show an agent with its settings.',
    arguments: AGENT_ID,
    examples: ['agents show 5c1b7a52-0000-4000-8000-000000000001 --json'],
    changes: false,
    input: z.strictObject({ agentId: agentIdSchema }),
    async run({ administration }, { agentId }) {
      const agent = await administration.agents.show(agentId);
      return { json: { agent: agentJson(agent) }, text: [...agentText(agent), '', ...settingsText(agent)] };
    },
  });
  addGrantVerbs(agents, runVerb);
}

function addSettingsVerbs(agents: Command, runVerb: RunVerb): void {
  addVerb(agents, runVerb, {
    name: 'create',
    summary: 'Create an agent from its settings.',
    flags: [['--account <id>', 'whose agent'], SETTINGS],
    examples: [
      'agents create --account <account-id> --settings apps/cli/demo/agent.json',
      'agents create --account <account-id> --settings - < agent.json',
    ],
    changes: true,
    input: z.strictObject({ account: accountIdSchema, settings: z.string() }),
    async run(session, { account, settings }) {
      const parsed = await readSettings(session, settings);
      return agentReport(await session.administration.agents.create({ accountId: account, settings: parsed }));
    },
  });
  addVerb(agents, runVerb, {
    name: 'update',
    summary: 'Save new settings as a new version of the agent. Accepted calls keep their version.',
    arguments: AGENT_ID,
    flags: [
      SETTINGS,
      ['--base-version <number>', 'reject the change unless this is still the current version; from `agents show`'],
    ],
    examples: ['agents update 5c1b7a52-0000-4000-8000-000000000001 --settings agent.json'],
    changes: true,
    input: z.strictObject({
      agentId: agentIdSchema,
      settings: z.string(),
      baseVersion: z.coerce.number('must be a version such as 3').int().min(1).optional(),
    }),
    async run(session, { agentId, settings, baseVersion }) {
      const parsed = await readSettings(session, settings);
      return agentReport(await session.administration.agents.update({ agentId, settings: parsed, baseVersion }));
    },
  });
}

function addGrantVerbs(agents: Command, runVerb: RunVerb): void {
  const input = z.strictObject({ agentId: agentIdSchema, account: accountIdSchema });
  addVerb(agents, runVerb, {
    name: 'grant',
    summary: 'Let another account use an agent.',
    arguments: AGENT_ID,
    flags: [['--account <id>', 'the account that receives the grant']],
    examples: ['agents grant 5c1b7a52-0000-4000-8000-000000000001 --account <account-id>'],
    changes: true,
    input,
    async run({ administration }, { agentId, account }) {
      await administration.agents.grant({ agentId, accountId: account });
      return {
        json: { grant: { agent_id: agentId, account_id: account } },
        text: [`Account ${account} may use agent ${agentId}.`],
      };
    },
  });
  addVerb(agents, runVerb, {
    name: 'ungrant',
    summary: 'Revoke a grant. Accepted calls continue.',
    arguments: AGENT_ID,
    flags: [['--account <id>', 'the account that loses the grant']],
    examples: ['agents ungrant 5c1b7a52-0000-4000-8000-000000000001 --account <account-id>'],
    changes: true,
    input,
    async run({ administration }, { agentId, account }) {
      await administration.agents.revoke({ agentId, accountId: account });
      return { json: { grant: null }, text: [`Account ${account} has no grant of agent ${agentId}.`] };
    },
  });
}

async function readSettings(session: AdminSession, path: string) {
  return parseAgentSettings(await readInput(path, session.stdin), inputName(path));
}

function agentReport(agent: AgentRecord): Report {
  return { json: { agent: agentJson(agent) }, text: agentText(agent) };
}

function agentJson(agent: AgentRecord): Json {
  return {
    id: agent.id,
    account_id: agent.accountId,
    version: agent.version,
    ...settingsJson(agent),
    created_at: isoTime(agent.createdAtMs),
  };
}

function settingsJson({ settings: stored }: AgentRecord): { readonly [field: string]: Json } {
  if (stored.kind === 'unusable') return { settings: null, required_variables: null, problem: stored.problem };
  return {
    // Fields without a value are no JSON.
    settings: z.json().parse(JSON.parse(JSON.stringify(stored.settings))),
    required_variables: requiredVariables(stored.settings),
  };
}

function agentText(agent: AgentRecord): readonly string[] {
  const { settings: stored } = agent;
  const variables = stored.kind === 'usable' ? requiredVariables(stored.settings) : [];
  return formatFacts([
    ['Agent', agent.id],
    ['Name', nameOf(agent)],
    ['Account', agent.accountId],
    ['Driver', driverOf(agent)],
    ['Version', String(agent.version)],
    ['Variables', variables.length === 0 ? 'none' : variables.join(', ')],
    ['Created', shownTime(agent.createdAtMs)],
  ]);
}

const nameOf = ({ settings }: AgentRecord): string =>
  settings.kind === 'usable' ? settings.settings.name : 'unusable';

const driverOf = ({ settings }: AgentRecord): string =>
  settings.kind === 'usable' ? settings.settings.driver : 'unknown';

function settingsText({ settings }: AgentRecord): readonly string[] {
  if (settings.kind === 'usable') return JSON.stringify(settings.settings, null, 2).split('\n');
  return [`Its settings are no longer valid (${settings.problem}): save them again with \`agents update\`.`];
}

function agentTable(agents: readonly AgentRecord[]): readonly string[] {
  return formatTable<AgentRecord>(
    [
      { title: 'ID', value: (agent) => agent.id },
      { title: 'NAME', value: nameOf },
      { title: 'DRIVER', value: driverOf },
      { title: 'VERSION', value: (agent) => String(agent.version), align: 'right' },
      { title: 'OWNER', value: (agent) => agent.accountId },
      { title: 'CREATED', value: (agent) => shownTime(agent.createdAtMs) },
    ],
    agents,
    'The account has no agents yet: create one with `agents create`.',
  );
}
